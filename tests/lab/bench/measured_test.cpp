// Every preset of a shipped model reaches what measured.json of that model says, on CaRB dev.
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

void check_preset(const std::shared_ptr<const Model>& model, const std::string& preset,
                  const nlohmann::json& check, const EvaluationSet& set, double tolerance) {
  const auto count = check.at("sentences").get<std::size_t>();
  ASSERT_LE(count, set.sentences.size());
  const std::vector<std::string_view> sentences(
      set.sentences.begin(), set.sentences.begin() + static_cast<std::ptrdiff_t>(count));
  Settings settings = model->settings(preset);
  settings.pretokenized = true;
  const auto results = Extractor(model, settings).extract(sentences);
  const Quality quality = score_results(sentences, results, set.gold);
  EXPECT_NEAR(quality.carb.f1 * 100, check.at("carb_f1").get<double>(), tolerance);
  EXPECT_NEAR(quality.carb_1_1.f1 * 100, check.at("carb_1_1_f1").get<double>(), tolerance);
  // Records of before have no more than that.
  if (!check.contains("strict_f1")) return;
  EXPECT_NEAR(quality.strict_f1 * 100, check.at("strict_f1").get<double>(), tolerance);
  EXPECT_NEAR(quality.triples, check.at("triples").get<double>(), tolerance);
  EXPECT_NEAR(quality.holes * 100, check.at("holes").get<double>(), tolerance);
}

// Repeated for presets whose check has as many sentences: the others take too long.
void check_benchie(const std::shared_ptr<const Model>& model, const std::string& preset,
                   const nlohmann::json& wanted, double tolerance) {
  const auto set = read_benchie_dev(DIFFIE_DATA_DIR);
  if (!set) return;
  const std::vector<std::string_view> sentences(set->sentences.begin(), set->sentences.end());
  Settings settings = model->settings(preset);
  const double min_confidence = settings.min_confidence;
  settings.pretokenized = true;
  settings.min_confidence = 0;
  const BenchieFigures figures = score_benchie(
      sentences, Extractor(model, settings).extract(sentences), set->gold, min_confidence);
  EXPECT_NEAR(figures.f1 * 100, wanted.at("f1").get<double>(), tolerance);
  EXPECT_NEAR(figures.best_f1 * 100, wanted.at("best_f1").get<double>(), tolerance);
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
  const auto measured = nlohmann::json::parse(file);
  const nlohmann::json& presets = measured.at("presets");
  ASSERT_TRUE(presets.contains(preset));
  const nlohmann::json& check = presets.at(preset).at("check");
  const double tolerance = test::recorded_tolerance(measured.value("kernels", "avx2"),
                                                    check.at("sentences").get<std::size_t>());
  const auto model = Model::load(dir);
  EXPECT_EQ(presets.size(), model->preset_names().size());
  check_preset(model, preset, check, read_carb_dev(DIFFIE_DATA_DIR), tolerance);
  const nlohmann::json& entry = presets.at(preset);
  const auto count = check.at("sentences").get<std::size_t>();
  if (entry.contains("benchie") && count >= entry["benchie"].at("sentences").get<std::size_t>())
    check_benchie(model, preset, entry["benchie"], tolerance);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Measured,
                         testing::Combine(testing::Values("small", "base"),
                                          testing::Values("fast", "balanced", "best")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace diffie
