#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diffie/text.h"
#include "expect_error.h"
#include "text/shipped_tokenizer.h"

namespace diffie {
namespace {

using testing::ElementsAre;

constexpr std::string_view kSmallVocab =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##able\n##a\nx\n##x\nab\n";

std::vector<std::string> pieces(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> out;
  for (const std::int32_t id : tokenizer.encode(text, false).ids) {
    out.emplace_back(tokenizer.piece(id));
  }
  return out;
}

TEST(Tokenizer, ShippedVocabularyIsBertBaseUncased) {
  const Tokenizer& tokenizer = shipped_tokenizer();
  EXPECT_EQ(tokenizer.vocab_size(), 30522u);
  EXPECT_EQ(tokenizer.piece(0), "[PAD]");
  EXPECT_EQ(tokenizer.piece(103), "[MASK]");
  EXPECT_EQ(tokenizer.piece(1996), "the");
  EXPECT_EQ(tokenizer.unk_id(), 100);
  EXPECT_EQ(tokenizer.cls_id(), 101);
  EXPECT_EQ(tokenizer.sep_id(), 102);
}

TEST(Tokenizer, AddsSpecialsAroundTheText) {
  const Encoding encoding = shipped_tokenizer().encode("Hello, world");
  EXPECT_THAT(encoding.ids, ElementsAre(101, 7592, 1010, 2088, 102));
  EXPECT_THAT(encoding.offsets,
              ElementsAre(Span{0, 0}, Span{0, 5}, Span{5, 6}, Span{7, 12}, Span{0, 0}));
  EXPECT_THAT(encoding.words, ElementsAre(~0u, 0, 1, 2, ~0u));
  EXPECT_THAT(shipped_tokenizer().encode("").ids, ElementsAre(101, 102));
  EXPECT_TRUE(shipped_tokenizer().encode(" \t\r\n\x01", false).ids.empty());
}

TEST(Tokenizer, PiecesOfAWordShareItsIndex) {
  const Encoding encoding = shipped_tokenizer().encode("un\u00ADbelievably good", false);
  EXPECT_THAT(pieces(shipped_tokenizer(), "unbelievably"),
              ElementsAre("un", "##bel", "##ie", "##va", "##bly"));
  EXPECT_THAT(encoding.words, ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_EQ(encoding.offsets[1], (Span{4, 7}));  // the soft hyphen belongs to no piece
}

TEST(Tokenizer, SpecialTokensInTheTextAreTakenAsWritten) {
  const Encoding encoding = shipped_tokenizer().encode("a[MASK]b [mask]", false);
  EXPECT_THAT(encoding.ids, ElementsAre(1037, 103, 1038, 1031, 7308, 1033));
  EXPECT_EQ(encoding.offsets[1], (Span{1, 7}));
  EXPECT_EQ(encoding.words[1], 1u);
}

TEST(Tokenizer, InvalidBytesVanishAndOffsetsStayTrue) {
  const Encoding encoding = shipped_tokenizer().encode("t\xC3he\x80 \xFFthe\xE2\x82", false);
  EXPECT_THAT(encoding.ids, ElementsAre(1996, 1996));
  EXPECT_THAT(encoding.offsets, ElementsAre(Span{0, 4}, Span{7, 10}));
}

TEST(Tokenizer, WordsOfMoreThanHundredCharactersAreUnknown) {
  const Tokenizer tokenizer = Tokenizer::from_vocab(kSmallVocab);
  EXPECT_EQ(tokenizer.encode(std::string(100, 'x'), false).ids.size(), 100u);
  const Encoding too_long = tokenizer.encode(std::string(101, 'X'), false);
  EXPECT_THAT(too_long.ids, ElementsAre(1));
  EXPECT_EQ(too_long.offsets[0], (Span{0, 101}));
  std::string accented;
  for (int i = 0; i < 100; ++i) accented += "x\u0301";
  EXPECT_EQ(tokenizer.encode(accented, false).ids.size(), 100u);
  accented += "\u0301x";
  EXPECT_THAT(tokenizer.encode(accented, false).ids, ElementsAre(1));
  EXPECT_EQ(tokenizer.encode(accented, false).offsets[0], (Span{0, accented.size()}));
}

TEST(Tokenizer, UnknownTailMakesTheWholeWordUnknown) {
  const Tokenizer tokenizer = Tokenizer::from_vocab(kSmallVocab);
  EXPECT_THAT(pieces(tokenizer, "unable"), ElementsAre("un", "##able"));
  EXPECT_THAT(pieces(tokenizer, "unabl"), ElementsAre("[UNK]"));
  EXPECT_THAT(pieces(tokenizer, "x abc ab"), ElementsAre("x", "[UNK]", "ab"));
  EXPECT_THAT(tokenizer.encode("x unabl", false).words, ElementsAre(0, 1));
}

TEST(Tokenizer, LongMarkRunsTakeLinearTime) {
  std::string zalgo = "a";
  for (int i = 0; i < 200'000; ++i) zalgo += i % 2 == 0 ? "\u0301" : "\u1B44";
  EXPECT_EQ(shipped_tokenizer().encode(zalgo, false).ids.size(), 1u);
}

TEST(Tokenizer, RefusesBrokenVocabularies) {
  EXPECT_ERROR(Tokenizer::from_vocab(""), ErrorCode::kCorruptModel, "[CLS]");
  EXPECT_ERROR(Tokenizer::from_vocab("[CLS]\n[SEP]\na\n"), ErrorCode::kCorruptModel, "[UNK]");
  EXPECT_ERROR(Tokenizer::from_vocab("[CLS]\n[SEP]\n[UNK]\na\nb\na\n"), ErrorCode::kCorruptModel,
               "'a'");
  EXPECT_ERROR(Tokenizer::from_vocab("[CLS]\n[SEP]\n\n[UNK]\n"), ErrorCode::kCorruptModel,
               "line 3");
  EXPECT_ERROR(Tokenizer::from_vocab("[CLS]\n[SEP]\n[UNK]\n\xFF\n"), ErrorCode::kCorruptModel,
               "line 4");
  EXPECT_ERROR(Tokenizer::from_vocab(std::string((8u << 20) + 1, 'a')), ErrorCode::kCorruptModel,
               "8388609");
  EXPECT_ERROR(Tokenizer::from_vocab_file("no/such/vocab.txt"), ErrorCode::kNotFound,
               "no/such/vocab.txt");
  EXPECT_ERROR(Tokenizer::from_vocab_file(DIFFIE_SOURCE_DIR), ErrorCode::kNotFound,
               "a file was wanted");
}

TEST(Tokenizer, TakesWindowsLineEndsAndNoFinalLineEnd) {
  const Tokenizer tokenizer = Tokenizer::from_vocab("[UNK]\r\n[CLS]\r\n[SEP]\r\nab");
  EXPECT_EQ(tokenizer.vocab_size(), 4u);
  EXPECT_THAT(tokenizer.encode("AB").ids, ElementsAre(1, 3, 2));
}

TEST(Tokenizer, PieceOutsideTheVocabularyIsRefused) {
  EXPECT_ERROR(shipped_tokenizer().piece(30522), ErrorCode::kInvalidArgument, "30522");
  EXPECT_ERROR(shipped_tokenizer().piece(-1), ErrorCode::kInvalidArgument, "-1");
}

}  // namespace
}  // namespace diffie
