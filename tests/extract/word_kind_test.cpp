#include "extract/word_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace diffie::extract {
namespace {

TEST(WordKind, KnowsTheClosedClasses) {
  EXPECT_EQ(word_kind("the"), WordKind::kDeterminer);
  EXPECT_EQ(word_kind("out"), WordKind::kPreposition);  // the last of its list
  EXPECT_EQ(word_kind("of"), WordKind::kPreposition);   // the first
  EXPECT_EQ(word_kind("'s"), WordKind::kBe);
  EXPECT_EQ(word_kind("n't"), WordKind::kAuxiliary);
  EXPECT_EQ(word_kind("why"), WordKind::kConjunction);
  EXPECT_EQ(word_kind("they"), WordKind::kPronoun);
  EXPECT_EQ(word_kind("dog"), WordKind::kContent);
}

TEST(WordKind, MarksAreNoWordsButNumbersAndForeignLettersAre) {
  for (const char* mark : {",", "``", "--", "(", "%", ""})
    EXPECT_EQ(word_kind(mark), WordKind::kPunctuation) << mark;
  for (const char* word : {"1989", "4.25", "\xC3\xA9t\xC3\xA9", "x-"})
    EXPECT_EQ(word_kind(word), WordKind::kContent) << word;
}

TEST(WordKind, OneCharacterIsAWordIfItIsALetterADigitOrBeyondAscii) {
  for (int c = 1; c < 256; ++c) {
    if (c >= 'A' && c <= 'Z') continue;  // words are lower-cased
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 128;
    const std::string word(1, static_cast<char>(c));
    EXPECT_EQ(word_kind(word) != WordKind::kPunctuation, is_word) << c;
    EXPECT_EQ(word_kind(',' + word + ',') != WordKind::kPunctuation, is_word) << c;
  }
}

TEST(WordKind, VerbsOfSpeech) {
  for (const std::string_view verb : kSpeechVerbs) EXPECT_TRUE(reports_speech(verb)) << verb;
  for (const char* other : {"", "sai", "saids", "tell"}) EXPECT_FALSE(reports_speech(other));
}

}  // namespace
}  // namespace diffie::extract
