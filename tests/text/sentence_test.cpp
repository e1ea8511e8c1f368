#include "text/sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/ptb.h"
#include "text/shipped_tokenizer.h"

namespace diffie::text {
namespace {

using testing::ElementsAre;

std::vector<std::string> words(std::string_view text, const Sentence& sentence) {
  std::vector<std::string> out;
  for (const Word& word : sentence.words) {
    out.emplace_back(text.substr(word.bytes.begin, word.bytes.end - word.bytes.begin));
  }
  return out;
}

std::vector<std::string> pieces(const Sentence& sentence) {
  std::vector<std::string> out;
  for (const std::int32_t id : sentence.piece_ids) out.emplace_back(shipped_tokenizer().piece(id));
  return out;
}

Sentence raw(std::string_view text) {
  return tokenize_sentence(shipped_tokenizer(), text, WordMode::kRaw);
}

Sentence pretokenized(std::string_view text) {
  return tokenize_sentence(shipped_tokenizer(), text, WordMode::kPretokenized);
}

void expect_pieces_covered(const Sentence& sentence) {
  std::uint32_t next = 0;
  for (const Word& word : sentence.words) {
    EXPECT_EQ(word.first_piece, next);
    EXPECT_GE(word.num_pieces, 1u);
    EXPECT_LT(word.bytes.begin, word.bytes.end);
    next += word.num_pieces;
  }
  EXPECT_EQ(next, sentence.piece_ids.size());
}

// In its word, and none begins before the one before it.
void expect_pieces_quoted(const Sentence& sentence) {
  ASSERT_EQ(sentence.piece_bytes.size(), sentence.piece_ids.size());
  for (const Word& word : sentence.words) {
    std::size_t begin = word.bytes.begin;
    for (std::uint32_t piece = 0; piece < word.num_pieces; ++piece) {
      const Span bytes = sentence.piece_bytes[word.first_piece + piece];
      EXPECT_LE(begin, bytes.begin);
      EXPECT_LE(bytes.begin, bytes.end);
      EXPECT_LE(bytes.end, word.bytes.end);
      begin = bytes.begin;
    }
  }
}

TEST(Sentence, PiecesStandInTheirWords) {
  const std::string text =
      "`` Caf\u00E9s \u200B don't sell -LRB- electroencephalographs. '' \u00AD";
  for (const Sentence& sentence : {raw(text), pretokenized(text)}) expect_pieces_quoted(sentence);
  const Sentence words = pretokenized("x -LRB- don't \u00AD");
  EXPECT_THAT(words.piece_bytes, ElementsAre(Span{0, 1}, Span{2, 7}, Span{8, 11}, Span{11, 12},
                                             Span{12, 13}, Span{14, 16}));
}

TEST(RawSentence, WordsAreBasicTokens) {
  const std::string text = "Caf\u00E9s don't sell\u200B electroencephalographs.";
  const Sentence sentence = raw(text);
  EXPECT_THAT(words(text, sentence),
              ElementsAre("Caf\u00E9s", "don", "'", "t", "sell", "electroencephalographs", "."));
  EXPECT_GT(sentence.words[5].num_pieces, 1u);
  expect_pieces_covered(sentence);
}

TEST(RawSentence, WhatCleansToNothingIsNoWord) {
  EXPECT_TRUE(raw("").words.empty());
  EXPECT_TRUE(raw(" \u00AD \u200D \xFF ").words.empty());
}

TEST(PretokenizedSentence, WordsAreWhiteSpaceTokens) {
  const std::string text = "  Mr.\u00A0O'Neil ,\u2003don't\u3000stop \r";
  const Sentence sentence = pretokenized(text);
  EXPECT_THAT(words(text, sentence), ElementsAre("Mr.", "O'Neil", ",", "don't", "stop"));
  EXPECT_EQ(sentence.words[0].num_pieces, 2u);
  expect_pieces_covered(sentence);
}

TEST(PretokenizedSentence, EscapesAreUndoneForTheEncoderOnly) {
  const std::string text = "`` x '' -LRB- y -rrb- -LSB- -RCB- -LRB-z";
  const Sentence sentence = pretokenized(text);
  EXPECT_EQ(words(text, sentence)[3], "-LRB-");
  EXPECT_THAT(pieces(sentence),
              ElementsAre("\"", "x", "\"", "(", "y", ")", "[", "}", "-", "l", "##rb", "-", "z"));
  expect_pieces_covered(sentence);
}

TEST(PretokenizedSentence, WordThatCleansToNothingIsUnknown) {
  const std::string text = "a \u200D \xFF\xFE b";
  const Sentence sentence = pretokenized(text);
  EXPECT_THAT(pieces(sentence), ElementsAre("a", "[UNK]", "[UNK]", "b"));
  EXPECT_EQ(sentence.words[2].bytes, (Span{6, 8}));
  expect_pieces_covered(sentence);
}

TEST(PretokenizedSentence, EmptyTextHasNoWords) {
  EXPECT_TRUE(pretokenized("").words.empty());
  EXPECT_TRUE(pretokenized(" \t\u00A0").words.empty());
}

TEST(Ptb, OnlyWholeEscapesAreUndone) {
  EXPECT_EQ(undo_ptb_escape("-LCB-"), "{");
  EXPECT_EQ(undo_ptb_escape("-rSb-"), "]");
  for (const std::string_view word : {"", "-LRB", "-LXB-", "-XRB-", "LRB", "'", "'''", "-LRB--"}) {
    EXPECT_EQ(undo_ptb_escape(word), word);
  }
}

}  // namespace
}  // namespace diffie::text
