// Every value of the official scorers in DIFFIE_DATA_DIR/expected, to 1e-9.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "diffie/lab/score.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kTolerance = 1e-9;

const fs::path kData = DIFFIE_DATA_DIR;

Score score_files(Measure measure, const fs::path& gold, const fs::path& predictions,
                  const std::string& extractor = {}) {
  ScoreReadOptions options;
  options.extractor = extractor;
  const auto outputs = read_predictions(predictions.string(), measure, options);
  EXPECT_EQ(outputs.size(), 1u);
  return score_system(read_gold(gold.string(), measure), outputs.at(0), measure);
}

Score score_expected(const json& expected) {
  const Measure measure = parse_measure(expected["variant"].get<std::string>());
  const std::string system = expected["system"];
  if (expected["benchmark"] == "carb") {
    const fs::path dev = kData / "carb/dev";
    return score_files(measure, dev / "dev.tsv", dev / "systems" / (system + ".tsv"));
  }
  if (expected["benchmark"] == "benchie") {
    const fs::path dir = kData / "benchie/scorer-check";
    return score_files(measure, dir / "benchie_gold_annotations_en.first60.txt",
                       dir / "systems" / (system + "_explicit.first60.txt"));
  }
  const fs::path dir = kData / "wire57/scorer-check";
  return score_files(measure, dir / "WiRe57_343-manual-oie.first10.json",
                     dir / "WiRe57_extractions.first10.json", system);
}

void expect_same_curve(const Score& result, const json& curve) {
  ASSERT_EQ(result.curve.size(), curve.size());
  for (std::size_t i = 0; i < curve.size(); ++i) {
    ASSERT_NEAR(result.curve[i].precision, curve[i][0].get<double>(), kTolerance) << "point " << i;
    ASSERT_NEAR(result.curve[i].recall, curve[i][1].get<double>(), kTolerance) << "point " << i;
    ASSERT_EQ(result.curve[i].confidence, curve[i][2].get<double>()) << "point " << i;
  }
}

void expect_same(const Score& result, const json& expected) {
  EXPECT_NEAR(result.precision, expected["precision"].get<double>(), kTolerance);
  EXPECT_NEAR(result.recall, expected["recall"].get<double>(), kTolerance);
  EXPECT_NEAR(result.f1, expected["f1"].get<double>(), kTolerance);
  EXPECT_EQ(result.auc.has_value(), expected.contains("auc"));
  if (expected.contains("auc")) {
    EXPECT_NEAR(result.auc.value(), expected["auc"].get<double>(), kTolerance);
  }
  if (expected.contains("optimal_threshold")) {
    EXPECT_EQ(result.optimal_threshold.value(), expected["optimal_threshold"].get<double>());
  }
  if (expected.contains("all_predictions")) {
    const json& all = expected["all_predictions"];
    EXPECT_NEAR(result.all_predictions.precision, all["precision"].get<double>(), kTolerance);
    EXPECT_NEAR(result.all_predictions.recall, all["recall"].get<double>(), kTolerance);
    EXPECT_NEAR(result.all_predictions.f1, all["f1"].get<double>(), kTolerance);
  }
  if (expected.contains("n_facts")) {
    EXPECT_EQ(result.num_gold, expected["n_facts"]);
  }
  if (expected.contains("n_predictions_in_file")) {
    EXPECT_EQ(result.num_predicted, expected["n_predictions_in_file"]);
  }
  if (expected.contains("curve")) expect_same_curve(result, expected["curve"]);
}

TEST(ExpectedScores, EveryOfficialValueIsReproduced) {
  if (!fs::exists(kData / "expected")) GTEST_SKIP() << "no benchmark data in " << kData;
  std::size_t checked = 0;
  for (const auto& entry : fs::directory_iterator(kData / "expected")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const json expected = json::parse(std::ifstream(entry.path()));
    expect_same(score_expected(expected), expected);
    ++checked;
  }
  EXPECT_GE(checked, 34u);
}

}  // namespace
}  // namespace diffie
