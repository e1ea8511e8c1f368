// The shipped models on sentences of our own: a gate of quality that needs no benchmark data.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "diffie/lab/bench.h"
#include "diffie/lab/evaluation.h"
#include "lab/bench/recorded_kernels.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

const fs::path kMiniature = fs::path(DIFFIE_SOURCE_DIR) / "tests/miniature";

using ModelAndPreset = std::tuple<const char*, const char*>;
class Miniature : public testing::TestWithParam<ModelAndPreset> {};

TEST_P(Miniature, ScoresAsRecorded) {
  const auto& [name, preset] = GetParam();
  const auto record = nlohmann::json::parse(std::ifstream(kMiniature / "measured.json"));
  const nlohmann::json& wanted = record.at("models").at(name).at(preset);
  const EvaluationSet set = read_carb_dev(kMiniature);
  const double tolerance =
      test::recorded_tolerance(record.at("kernels").get<std::string>(), set.sentences.size());
  const std::vector<std::string_view> sentences(set.sentences.begin(), set.sentences.end());
  const auto model = Model::load(fs::path(DIFFIE_SOURCE_DIR) / "models" / name);
  Settings settings = model->settings(preset);
  settings.pretokenized = true;
  const auto results = Extractor(model, settings).extract(sentences);
  const Quality quality = score_results(sentences, results, set.gold);
  ASSERT_EQ(quality.sentences, 40u);
  EXPECT_NEAR(quality.carb.f1 * 100, wanted.at("carb_f1").get<double>(), tolerance);
  EXPECT_NEAR(quality.carb.auc * 100, wanted.at("carb_auc").get<double>(), tolerance);
  EXPECT_NEAR(quality.carb_1_1.f1 * 100, wanted.at("carb_1_1_f1").get<double>(), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Miniature,
                         testing::Combine(testing::Values("small", "base"),
                                          testing::Values("fast", "balanced")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace diffie
