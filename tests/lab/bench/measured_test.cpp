// Every preset of a shipped model reaches what measured.json of that model says, on CaRB dev.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "diffie/lab/bench.h"
#include "diffie/lab/evaluation.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

// In points of F1. The samples are the same everywhere; rounding differs between instruction sets
// and turns a tag over now and then, which a few sentences feel more than many.
double tolerance(std::size_t sentences) { return sentences >= 200 ? 0.5 : 3.0; }

void check_preset(const std::shared_ptr<const Model>& model, const std::string& preset,
                  const nlohmann::json& check, const EvaluationSet& set) {
  const auto count = check.at("sentences").get<std::size_t>();
  ASSERT_LE(count, set.sentences.size());
  const std::vector<std::string_view> sentences(
      set.sentences.begin(), set.sentences.begin() + static_cast<std::ptrdiff_t>(count));
  ExtractorOptions options;
  options.preset = preset;
  options.pretokenized = true;
  const auto results = Extractor(model, options).extract(sentences);
  const Quality quality = score_results(sentences, results, set.gold);
  EXPECT_NEAR(quality.carb.f1 * 100, check.at("carb_f1").get<double>(), tolerance(count)) << preset;
  EXPECT_NEAR(quality.carb_1_1.f1 * 100, check.at("carb_1_1_f1").get<double>(), tolerance(count))
      << preset;
}

using ModelAndPreset = std::tuple<const char*, const char*>;
class Measured : public testing::TestWithParam<ModelAndPreset> {};

TEST_P(Measured, ScoresAsDocumented) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "too slow with a sanitizer";
#endif
  const auto& [name, preset] = GetParam();
  const fs::path dir = fs::path(DIFFIE_SOURCE_DIR) / "models" / name;
  if (!fs::exists(dir)) GTEST_SKIP() << dir << " is not there";
  if (!fs::exists(DIFFIE_DATA_DIR "/carb/dev/dev.tsv")) GTEST_SKIP() << "no benchmark data";
  std::ifstream file(dir / "measured.json");
  if (!file) GTEST_SKIP() << "diffie eval --model " << name << " --record writes it";
  const auto presets = nlohmann::json::parse(file).at("presets");
  const auto model = Model::load(dir);
  EXPECT_EQ(presets.size(), model->preset_names().size());
  ASSERT_TRUE(presets.contains(preset));
  check_preset(model, preset, presets.at(preset).at("check"), read_carb_dev(DIFFIE_DATA_DIR));
}

INSTANTIATE_TEST_SUITE_P(Shipped, Measured,
                         testing::Combine(testing::Values("small", "base"),
                                          testing::Values("fast", "balanced", "best", "paper")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace diffie
