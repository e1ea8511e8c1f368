#include "sentence_cutter.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace diffie::cli {
namespace {

using Kind = InputStep::Kind;

std::deque<InputStep> cut(const std::string& text, InputMode mode, std::size_t max_piece,
                          Shard* shard = nullptr) {
  Diagnostics diagnostics;
  SentenceCutter cutter(mode, diagnostics);
  std::deque<InputStep> steps;
  cutter.begin({"id", "place"}, shard, steps);
  std::mt19937 random(static_cast<unsigned>(max_piece));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t size = 1 + random() % max_piece;
    cutter.buffer().append(text, begin, size);
    cutter.cut(steps);
    begin += size;
  }
  cutter.end(steps);
  return steps;
}

std::size_t count_characters(std::string_view text) {
  std::string valid;
  base::append_valid_utf8(valid, text);
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < valid.size(); ++count)
    pos += base::decode_utf8(valid, pos).length;
  return count;
}

// Begins with the id, ends with the rest; all of the text is there, once, and every sentence says
// where it stands.
void expect_whole(const std::deque<InputStep>& steps, const std::string& text) {
  ASSERT_GE(steps.size(), 2U);
  EXPECT_EQ(steps.front().kind, Kind::kBegin);
  EXPECT_EQ(steps.front().text, "id");
  EXPECT_EQ(steps.back().kind, Kind::kEnd);
  std::string joined;
  std::size_t characters = 0;
  for (std::size_t index = 1; index + 1 < steps.size(); ++index) {
    const InputStep& step = steps[index];
    joined += step.gap;
    characters += count_characters(step.gap);
    if (step.kind == Kind::kSentence) {
      EXPECT_EQ(step.bytes, (Span{joined.size(), joined.size() + step.text.size()}));
    }
    EXPECT_EQ(step.character, characters);
    EXPECT_LE(step.gap.size(), SentenceCutter::kMaxGapBytes);
    EXPECT_TRUE(step.kind == Kind::kSentence || step.text.size() <= SentenceCutter::kMaxGapBytes);
    joined += step.text;
    characters += count_characters(step.text);
  }
  EXPECT_LE(steps.back().text.size(), SentenceCutter::kMaxGapBytes);
  EXPECT_TRUE(joined + steps.back().text == text);
  EXPECT_EQ(characters + count_characters(steps.back().text), count_characters(text));
}

std::vector<std::string> sentences(const std::deque<InputStep>& steps) {
  std::vector<std::string> found;
  for (const InputStep& step : steps) {
    if (step.kind == Kind::kSentence) found.push_back(step.text);
  }
  return found;
}

const std::string kText =
    "\xEF\xBB\xBFThe caf\u00E9 is open. It \xFF rains \xE2\x82 here!\r\n \n\n"
    "A heading\n=========\n\nHard-wrapped text\ngoes on here. \u3000Last one \U0001F600\n\n  ";

TEST(SentenceCutter, KeepsAllOfTheTextWhateverThePieces) {
  const std::deque<InputStep> whole = cut(kText, InputMode::kDocuments, 100'000);
  expect_whole(whole, kText);
  EXPECT_EQ(sentences(whole).size(), 6U);
  for (const std::size_t max_piece : {1, 2, 3, 7, 30, 64}) {
    const std::deque<InputStep> steps = cut(kText, InputMode::kDocuments, max_piece);
    expect_whole(steps, kText);
    EXPECT_EQ(sentences(steps), sentences(whole)) << max_piece;
  }
}

TEST(SentenceCutter, CutsAParagraphWithoutEndInTheSamePlacesWhateverThePieces) {
  std::string text;
  while (text.size() < 3'000'000) {
    text += "Sentence number " + std::to_string(text.size()) + " is \u4E2D here. ";
  }
  const std::deque<InputStep> whole = cut(text, InputMode::kDocuments, text.size());
  expect_whole(whole, text);
  EXPECT_GT(sentences(whole).size(), 70'000U);
  EXPECT_EQ(sentences(cut(text, InputMode::kDocuments, 40'000)), sentences(whole));
}

TEST(SentenceCutter, WhiteSpaceWithoutEndIsNoSentence) {
  const std::string text(2'500'000, ' ');
  const std::deque<InputStep> steps = cut(text, InputMode::kDocuments, 65'536);
  expect_whole(steps, text);
  EXPECT_TRUE(sentences(steps).empty());
}

// Its pieces are whole characters, and the same whatever those of the text.
TEST(SentenceCutter, ALongGapComesInPieces) {
  constexpr std::size_t kMost = SentenceCutter::kMaxGapBytes;
  for (const std::size_t size :
       {kMost - 1, kMost, kMost + 1, kMost + 2, 2 * kMost, 5 * kMost + 1}) {
    std::string gap = "\n";
    while (gap.size() < size) gap += size % 2 == 0 ? "\u3000" : "\n";
    const std::string text = gap + "One is here." + gap + "Two is here." + gap;
    const std::deque<InputStep> whole = cut(text, InputMode::kDocuments, text.size());
    expect_whole(whole, text);
    EXPECT_EQ(sentences(whole), (std::vector<std::string>{"One is here.", "Two is here."}));
    EXPECT_EQ(whole.size() > 4, gap.size() > kMost);
    for (const std::size_t max_piece : {7, 1000, 65'536}) {
      const std::deque<InputStep> steps = cut(text, InputMode::kDocuments, max_piece);
      expect_whole(steps, text);
      ASSERT_EQ(steps.size(), whole.size());
      for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].text, whole[i].text);
    }
  }
}

TEST(SentenceCutter, LinesOfOtherShardsComeInPieces) {
  std::string text;
  while (text.size() < 50'000) text += "caf\u00E9 \xFF\xE2\x82 \xF0\x9F\x98\x80\xF0\x90\n";
  for (const std::size_t max_piece : {5, 70'000}) {
    Shard shard(1'000, 1'001);
    const std::deque<InputStep> steps = cut(text, InputMode::kLines, max_piece, &shard);
    expect_whole(steps, text);
    EXPECT_EQ(sentences(steps).size(), 2U);
    EXPECT_GT(steps.size(), 10U);
  }
}

TEST(SentenceCutter, EveryLineIsASentence) {
  const std::string text = "one\r\n\n\u00E9t\u00E9 two\nno end";
  for (const std::size_t max_piece : {1, 4, 100}) {
    const std::deque<InputStep> steps = cut(text, InputMode::kLines, max_piece);
    expect_whole(steps, text);
    EXPECT_EQ(sentences(steps),
              (std::vector<std::string>{"one", "", "\u00E9t\u00E9 two", "no end"}));
  }
}

TEST(SentenceCutter, ASentenceWithoutEndIsCutAtBlanks) {
  std::string text;
  while (text.size() < 100'000) text += "words caf\u00E9 without an end \n and ";
  for (const std::size_t piece : {std::size_t{1} << 20, std::size_t{1000}}) {
    const std::deque<InputStep> steps = cut(text, InputMode::kDocuments, piece);
    expect_whole(steps, text);
    const std::vector<std::string> found = sentences(steps);
    EXPECT_GE(found.size(), text.size() / 20'000);
    for (const std::string& sentence : found) {
      EXPECT_LE(sentence.size(), 20'000U);
      EXPECT_EQ(sentence.find_first_of(" \n"), sentence.find_first_of(" \n", 1));
      EXPECT_NE(sentence.back(), ' ');
    }
  }
}

TEST(SentenceCutter, AWordWithoutEndIsCutBetweenCharacters) {
  std::string text;
  while (text.size() < 50'000) text += "\u65E5";
  const std::deque<InputStep> steps = cut(text, InputMode::kDocuments, 777);
  expect_whole(steps, text);
  const std::vector<std::string> found = sentences(steps);
  EXPECT_GE(found.size(), text.size() / 20'000);
  for (const std::string& sentence : found) EXPECT_EQ(sentence.size() % 3, 0U);
}

TEST(SentenceCutter, ALineThatIsTooLongIsOneSentenceWithAnError) {
  std::string huge;
  while (huge.size() < 3 * SentenceCutter::kMaxLineBytes + 17) huge += "caf\u00E9 ";
  const std::string most(SentenceCutter::kMaxLineBytes, 'x');
  const std::string text = "one\n" + huge + "\ntwo\n" + most + "\n" + most + "y\nthree\n" + huge;
  for (const std::size_t piece : {std::size_t{1} << 30, std::size_t{70'000}}) {
    const std::deque<InputStep> steps = cut(text, InputMode::kLines, piece);
    const std::vector<std::string> found = sentences(steps);
    ASSERT_EQ(found.size(), 7U);
    std::size_t begin = 0;
    for (std::size_t line = 0; line < found.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const InputStep& step = steps[line + 1];
      const bool too_long = end - begin > SentenceCutter::kMaxLineBytes;
      EXPECT_EQ(step.error.empty(), !too_long) << line;
      EXPECT_EQ(step.bytes, (Span{begin, end})) << line;
      EXPECT_EQ(step.index, line);
      EXPECT_EQ(step.character, count_characters(text.substr(0, begin))) << line;
      if (too_long) {
        EXPECT_LE(step.text.size(), SentenceCutter::kShownLineBytes);
        EXPECT_GE(step.text.size(), SentenceCutter::kShownLineBytes - 3);
      }
      EXPECT_EQ(step.text, text.substr(begin, step.text.size())) << line;
      begin = end + 1;
    }
  }
  Shard second(1, 2);
  const std::deque<InputStep> steps = cut(text, InputMode::kLines, 70'000, &second);
  ASSERT_EQ(sentences(steps).size(), 3U);
  EXPECT_FALSE(steps[1].error.empty());
  EXPECT_EQ(steps[2].text, most);
  EXPECT_EQ(steps[3].text, "three");
}

TEST(SentenceCutter, AShardOfLinesKeepsTheirNumbersAndPlaces) {
  const std::string text = "a\nb\nc\nd\ne\n";
  Shard shard(1, 3);
  const std::deque<InputStep> steps = cut(text, InputMode::kLines, 2, &shard);
  expect_whole(steps, text);
  EXPECT_EQ(sentences(steps), (std::vector<std::string>{"b", "e"}));
  EXPECT_EQ(steps[2].index, 4U);
}

}  // namespace
}  // namespace diffie::cli
