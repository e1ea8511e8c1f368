#include "engine/passage.h"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace diffie::engine {
namespace {

// Words "w0 w1 ..." with the given numbers of pieces; piece ids count up from 0.
text::Sentence sentence_of(std::span<const std::uint32_t> piece_counts, std::string& text) {
  text::Sentence sentence;
  for (std::size_t word = 0; word < piece_counts.size(); ++word) {
    if (word > 0) text += ' ';
    const std::size_t begin = text.size();
    text += "w" + std::to_string(word);
    const auto first = static_cast<std::uint32_t>(sentence.piece_ids.size());
    sentence.words.push_back({{begin, text.size()}, first, piece_counts[word]});
    for (std::uint32_t piece = 0; piece < piece_counts[word]; ++piece) {
      sentence.piece_ids.push_back(static_cast<std::int32_t>(sentence.piece_ids.size()));
    }
  }
  return sentence;
}

TEST(MakeUnits, ShortSentenceIsOneUnit) {
  const std::vector<std::uint32_t> counts = {1, 2, 1};
  std::string text;
  const text::Sentence sentence = sentence_of(counts, text);
  const std::vector<Passage> passages = make_passages(7, text, sentence, 4);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].sentence, 7U);
  EXPECT_EQ(passages[0].text, text);
  EXPECT_EQ(passages[0].piece_counts, counts);
  EXPECT_EQ(passages[0].piece_ids, sentence.piece_ids);
}

TEST(MakeUnits, ImpliedWordsEndEveryUnitAndCount) {
  const std::vector<std::uint32_t> counts = {2, 1, 1};
  std::string text, implied_text;
  const text::Sentence sentence = sentence_of(counts, text);
  const text::Sentence implied = sentence_of(std::vector<std::uint32_t>{1, 1}, implied_text);
  const std::vector<Passage> passages = make_passages(0, text, sentence, 5, implied);
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].piece_ids, (std::vector<std::int32_t>{0, 1, 2, 0, 1}));
  EXPECT_EQ(passages[1].piece_ids, (std::vector<std::int32_t>{3, 0, 1}));
  EXPECT_EQ(passages[1].piece_counts, (std::vector<std::uint32_t>{1, 1, 1}));
  EXPECT_EQ(passages[0].num_implied(), 2U);
  EXPECT_EQ(passages[0].text, "w0 w1");
  EXPECT_TRUE(make_passages(0, "  ", text::Sentence{}, 5, implied).empty());
}

TEST(MakeUnits, NoWordsNoUnit) {
  EXPECT_TRUE(make_passages(0, "   ", text::Sentence{}, 4).empty());
}

TEST(MakeUnits, CutsBetweenWordsAndLosesNone) {
  const std::vector<std::uint32_t> counts = {3, 2, 2, 5, 1, 1, 4};
  std::string text;
  const text::Sentence sentence = sentence_of(counts, text);
  for (const std::size_t max_pieces : {5, 6, 7, 100}) {
    const std::vector<Passage> passages = make_passages(0, text, sentence, max_pieces);
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> pieces;
    for (const Passage& passage : passages) {
      EXPECT_LE(passage.piece_ids.size(), max_pieces);
      EXPECT_EQ(std::accumulate(passage.piece_counts.begin(), passage.piece_counts.end(), 0U),
                passage.piece_ids.size());
      ids.insert(ids.end(), passage.piece_ids.begin(), passage.piece_ids.end());
      pieces.insert(pieces.end(), passage.piece_counts.begin(), passage.piece_counts.end());
    }
    EXPECT_EQ(ids, sentence.piece_ids);
    EXPECT_EQ(pieces, counts);
  }
}

TEST(MakeUnits, AWordLongerThanTheModelKeepsItsFirstPieces) {
  const std::vector<std::uint32_t> counts = {1, 9, 1};
  std::string text;
  const text::Sentence sentence = sentence_of(counts, text);
  const std::vector<Passage> passages = make_passages(0, text, sentence, 4);
  ASSERT_EQ(passages.size(), 3U);
  EXPECT_EQ(passages[1].piece_counts, std::vector<std::uint32_t>{4});
  EXPECT_EQ(passages[1].piece_ids, (std::vector<std::int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(passages[1].text, "w1");
}

}  // namespace
}  // namespace diffie::engine
