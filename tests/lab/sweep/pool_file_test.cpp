#include <gtest/gtest.h>

#include "diffie/lab/tag_pool.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie {
namespace {

const char* const kLine =
    R"({"sentence": "a b", "words": ["a", "b"], "pool": [["SR", 2], ["BB", 9], ["OB", 2]]})";

TEST(PoolFile, ComesBackAsWritten) {
  TagPool pool{"\"x\"\ty \xC3\xA9", {"\"x\"", "y", "\xC3\xA9"}, {{"SRO", 7}, {"BBB", 1}}};
  std::string text;
  append_tag_pool(text, pool);
  append_tag_pool(text, {"", {}, {}});
  const std::vector<TagPool> read = parse_tag_pools(text, "pool");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].sentence, pool.sentence);
  EXPECT_EQ(read[0].words, pool.words);
  EXPECT_EQ(read[0].tags, pool.tags);
  EXPECT_EQ(read[0].num_samples(), 8u);
  EXPECT_TRUE(read[1].words.empty());
  EXPECT_EQ(read[1].num_samples(), 0u);
}

TEST(PoolFile, OrdersByFallingCountThenString) {
  const std::vector<TagPool> read = parse_tag_pools(std::string(kLine) + "\r\n\n", "pool");
  ASSERT_EQ(read.size(), 1u);
  const std::vector<TagCount> wanted = {{"BB", 9}, {"OB", 2}, {"SR", 2}};
  EXPECT_EQ(read[0].tags, wanted);
}

TEST(PoolFile, SaysHowManyWordsAreImplied) {
  std::string text;
  append_tag_pool(text, {"a b", {"a", "b", "is"}, {{"SOR", 2}}, 1});
  EXPECT_NE(text.find("\"implied\": 1"), std::string::npos);
  EXPECT_EQ(parse_tag_pools(text, "pool")[0].num_implied, 1u);
  EXPECT_EQ(parse_tag_pools(kLine, "pool")[0].num_implied, 0u);
}

TEST(PoolFile, KeepsWhatTheJudgeSaid) {
  const TagPool pool{
      "a b c", {"a", "b", "c"}, {{"SRO", 7, 0.1f, 1.0f / 3}, {"SOR", 2, 0, 1}, {"BBB", 1}}};
  std::string text;
  append_tag_pool(text, pool);
  EXPECT_EQ(parse_tag_pools(text, "pool")[0].tags, pool.tags);
  EXPECT_NE(text.find("[\"BBB\", 1]]"), std::string::npos);
}

// Three anchored models' weights of a sentence, added up.
TEST(PoolFile, HoldsWeights) {
  const TagPool pool{
      "a b c", {"a", "b", "c"}, {{"SRO", 3U << 19}, {"BBB", 3U << 18}, {"ORS", 3U << 18}}};
  std::string text;
  append_tag_pool(text, pool);
  const TagPool read = parse_tag_pools(text, "pool").at(0);
  EXPECT_EQ(read.tags, pool.tags);
  EXPECT_EQ(read.num_samples(), 3U << 20);
}

TEST(PoolFile, IgnoresOtherKeys) {
  EXPECT_EQ(
      parse_tag_pools(R"({"steps": 16, "sentence": "", "words": [], "pool": []})", "p").size(), 1u);
}

struct BadLineCase {
  const char* line;
  const char* fragment;
};

TEST(PoolFile, RefusesWhatItCannotRead) {
  const BadLineCase cases[] = {
      {"{", "line 2"},
      {"[]", "no JSON object"},
      {R"({"words": [], "pool": []})", "no 'sentence'"},
      {R"({"sentence": 3, "words": [], "pool": []})", "'sentence' holds"},
      {R"({"sentence": "a", "words": "a", "pool": []})", "'words' is no list"},
      {R"({"sentence": "a", "words": ["a", 1], "pool": []})", "'words' holds"},
      {R"({"sentence": "a", "words": ["a"]})", "no 'pool'"},
      {R"({"sentence": "a", "words": ["a"], "implied": 2, "pool": []})", "'implied' is no number"},
      {R"({"sentence": "a", "words": ["a"], "implied": -1, "pool": []})", "'implied' is no number"},
      {R"({"sentence": "a", "words": ["a"], "implied": "1", "pool": []})", "'implied' is no"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S"]]})", "no [tags, count]"},
      {R"({"sentence": "a", "words": ["a"], "pool": ["S", 1]})", "no [tags, count]"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1, 0.5]]})", "no [tags, count]"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1, 0.5, 1.5]]})", "a judgement is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1, -0.5, 0.5]]})", "a judgement is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1, "1", 0.5]]})", "a judgement is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["SS", 1]]})", "2 tags for 1 words"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["X", 1]]})", "none of B, S, R, O"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 0]]})", "a count is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", -4]]})", "a count is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1.5]]})", "a count is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 99999999999999999999]]})", "a count is"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 9000000], ["R", 9000000]]})",
       "18000000 samples"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1], ["R", 1], ["S", 2]]})",
       "appear twice"},
      {R"({"sentence": "a", "words": [], "pool": [[[[[[[]]]]]]]})", "line 2"},
  };
  for (const BadLineCase& bad : cases) {
    const std::string text = std::string(kLine) + "\n" + bad.line + "\n";
    EXPECT_ERROR(parse_tag_pools(text, "dev.jsonl"), ErrorCode::kBadInput, bad.fragment);
    EXPECT_ERROR(parse_tag_pools(text, "dev.jsonl"), ErrorCode::kBadInput, "dev.jsonl: line 2");
  }
}

TEST(PoolFile, MissingFileIsNotFound) {
  const test::TempDir temp;
  EXPECT_ERROR(read_tag_pools(temp / "none.jsonl"), ErrorCode::kNotFound, "none.jsonl");
  test::write_file(temp / "empty.jsonl", "");
  EXPECT_TRUE(read_tag_pools(temp / "empty.jsonl").empty());
}

}  // namespace
}  // namespace diffie
