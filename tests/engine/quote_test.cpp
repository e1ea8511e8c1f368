#include "engine/quote.h"

#include <gtest/gtest.h>

namespace diffie::engine {
namespace {

TEST(Quote, JoinsNeighboursAndQuotesTheTextAsItStands) {
  const std::string text = "Ada  wrote, then\npublished notes";
  //                        0    5    10 12   17        27
  const std::vector<Span> words = {{0, 3}, {5, 10}, {10, 11}, {12, 16}, {17, 26}, {27, 32}};
  extract::RankedTriple ranked;
  ranked.triple.words = {std::vector<std::uint32_t>{0}, {1, 3, 4}, {5}};
  ranked.confidence = 0.25;
  const Extraction found = quote(ranked, text, words);
  EXPECT_EQ(found.subject, "Ada");
  EXPECT_EQ(found.relation, "wrote then\npublished");  // the comma between is not part of it
  EXPECT_EQ(found.relation_spans, (std::vector<Span>{{5, 10}, {12, 26}}));
  EXPECT_EQ(found.object, "notes");
  EXPECT_EQ(found.confidence, 0.25);
}

TEST(Quote, ImpliedVerbsComeFirstAndOtherWordsLast) {
  const std::string text = "Paris , capital";
  const std::vector<Span> words = {{0, 5}, {6, 7}, {8, 15}};
  const std::vector<std::string> implied = {"of", "is", "has"};
  extract::RankedTriple ranked;
  ranked.triple.words = {std::vector<std::uint32_t>{0}, {2, 3, 4}, {1}};
  Extraction found = quote(ranked, text, words, implied);
  EXPECT_EQ(found.relation, "is capital of");
  EXPECT_EQ(found.relation_spans, (std::vector<Span>{{8, 15}}));
  EXPECT_EQ(found.implied, (std::vector<std::string>{"is", "of"}));
  ranked.triple.words[1] = {4};
  found = quote(ranked, text, words, implied);
  EXPECT_EQ(found.relation, "is");
  EXPECT_TRUE(found.relation_spans.empty());
}

}  // namespace
}  // namespace diffie::engine
