// Rankers of every version and schema of ranker.json.
#include <gtest/gtest.h>

#include "expect_error.h"
#include "extract/feature_schema.h"
#include "extract/ranker.h"
#include "old_files.h"

namespace diffie::extract {
namespace {

using test::kOldFiles;

struct Known {
  const char* file;
  std::int32_t schema;
  Walk walk;
};
constexpr Known kKnown[] = {{"v1-86-features.json", 1, Walk::kCoverage},
                            {"v1-88-features.json", 1, Walk::kCoverage},
                            {"v2-schema-1.json", 1, Walk::kCoverage},
                            {"v2-schema-2.json", 2, Walk::kCoverage},
                            {"v3-judged-walk.json", 2, Walk::kJudged}};

// All have the same trees (scripts/golden/old_files/toy_ranker.h) and so the same answers, those of
// the tree by hand.
TEST(OldRanker, AnswersAsItDid) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.file);
    const Ranker ranker = read_ranker(kOldFiles / "rankers" / known.file);
    EXPECT_EQ(ranker.schema, known.schema);
    EXPECT_EQ(ranker.walk, known.walk);
    std::vector<float> low(find_schema(known.schema)->num_features, 0.0f);
    std::vector<float> high(low.size(), 3.0f);
    EXPECT_DOUBLE_EQ(ranker.wording.predict(low), 0.5 - 0.125 + 0.0625);
    EXPECT_DOUBLE_EQ(ranker.wording.predict(high), 0.5 + 0.375 - 0.25);
    // worth: 0.25 - 0.5 and 0.25 + 1; calibrated between the knots and at the last.
    const std::vector<const float*> rows = {low.data(), high.data()};
    const std::vector<double> confidences = ranker.confidences(rows);
    EXPECT_DOUBLE_EQ(confidences[0], 0.125 + 0.25 / 0.75 * 0.375);
    EXPECT_DOUBLE_EQ(confidences[1], 0.875);
  }
}

TEST(OldRanker, WrittenAgainSaysTheSame) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.file);
    const Ranker ranker = read_ranker(kOldFiles / "rankers" / known.file);
    const Ranker again = parse_ranker(to_json(ranker), "again");
    EXPECT_EQ(again.schema, ranker.schema);
    EXPECT_EQ(again.walk, ranker.walk);
    EXPECT_EQ(again.worth.leaves, ranker.worth.leaves);
    EXPECT_EQ(again.wording.features, ranker.wording.features);
  }
}

TEST(OldRanker, OfAFutureVersionOrSchemaIsRefused) {
  const std::string text = test::read_file(kOldFiles / "rankers/v3-judged-walk.json");
  EXPECT_ERROR(parse_ranker(test::replaced(text, "\"version\":3", "\"version\":4"), "ranker.json"),
               ErrorCode::kUnsupported, "ranker.json: version 4, this program reads up to 3");
  EXPECT_ERROR(parse_ranker(test::replaced(text, "\"schema\":2", "\"schema\":3"), "ranker.json"),
               ErrorCode::kUnsupported, "ranker.json: schema 3, this program reads up to 2");
}

}  // namespace
}  // namespace diffie::extract
