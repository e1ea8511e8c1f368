// Model directories of every version of config.json, written by the programs of their time
// (README.md): they load, and find what they found.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "diffie/extractor.h"
#include "diffie/lab/model_files.h"
#include "expect_error.h"
#include "model_dir/model_config.h"
#include "old_files.h"
#include "temp_dir.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using test::kOldFiles;
using test::read_file;

constexpr std::string_view kSentence = "Ada wrote the program and Vienna lies on the Danube.";

// Name of the model -> lines of "confidence TAB subject TAB relation TAB object".
std::map<std::string, std::vector<std::string>> expected_triples() {
  std::map<std::string, std::vector<std::string>> expected;
  std::istringstream lines(read_file(kOldFiles / "expected.tsv"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    expected[line.substr(0, tab)].push_back(line.substr(tab + 1));
  }
  return expected;
}

std::vector<std::string> triples_of(const fs::path& dir) {
  const auto model = Model::load(dir);
  Settings settings = model->settings();
  settings.precision = Precision::kFp32;
  settings.threads = 1;
  std::vector<std::string> lines;
  for (const Extraction& each : Extractor(model, settings).extract(kSentence).extractions) {
    lines.push_back(fmt::format("{:.3f}\t{}\t{}\t{}", each.confidence, each.subject, each.relation,
                                each.object));
  }
  return lines;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kOldFiles / "models"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class OldModel : public testing::TestWithParam<std::string> {
 protected:
  // Other kernels round otherwise, and these models are in doubt about everything.
  static void SetUpTestSuite() { ::setenv("DIFFIE_CPU_ISA", "scalar", 1); }
  fs::path dir() const { return kOldFiles / "models" / GetParam(); }
};

TEST_P(OldModel, IsWhole) { EXPECT_EQ(verify_model(dir()), std::vector<std::string>{}); }

TEST_P(OldModel, FindsWhatItFound) {
  const auto expected = expected_triples();
  ASSERT_TRUE(expected.contains(GetParam()));
  EXPECT_EQ(triples_of(dir()), expected.at(GetParam()));
}

TEST_P(OldModel, IsOfTheVersionThatItsNameSays) {
  const auto config = nlohmann::json::parse(read_file(dir() / "config.json"));
  EXPECT_EQ(fmt::format("v{}", config.at("version").get<int>()), GetParam().substr(0, 2));
}

TEST_P(OldModel, CanBeConverted) {
  const test::TempDir temp;
  convert_model(dir(), temp / "int8", WeightType::kI8);
  EXPECT_EQ(verify_model(temp / "int8"), std::vector<std::string>{});
}

TEST_P(OldModel, OfAFutureVersionIsRefused) {
  const test::TempDir temp;
  fs::copy(dir(), temp / "model");
  const std::string config = read_file(dir() / "config.json");
  const std::string version = fmt::format("\"version\": {}", GetParam().at(1));
  write_model_document(temp / "model", "config.json",
                       test::replaced(config, version, "\"version\": 5"));
  EXPECT_ERROR(Model::load(temp / "model"), ErrorCode::kUnsupported,
               "model format version 5, this build reads up to 4");
  EXPECT_THAT(verify_model(temp / "model"),
              testing::Contains(testing::HasSubstr("model format version 5")));
}

INSTANTIATE_TEST_SUITE_P(All, OldModel, testing::ValuesIn(model_names()), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(OldModels, AreAllThere) {
  std::vector<std::string> expected;
  for (const auto& [name, triples] : expected_triples()) expected.push_back(name);
  EXPECT_EQ(model_names(), expected);
  EXPECT_EQ(expected.size(), 8u);
}

// The config.json of every model that was ever shipped says today what it said.
TEST(OldConfig, OfShippedModelsAreRead) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kOldFiles / "configs")) {
    SCOPED_TRACE(entry.path().filename().string());
    const std::string text = read_file(entry.path());
    const model_dir::ModelConfig config = model_dir::parse_model_config(text, "config.json");
    EXPECT_TRUE(config.trained);
    EXPECT_EQ(nlohmann::json::parse(model_dir::to_json(config)), nlohmann::json::parse(text));
    ++count;
  }
  EXPECT_EQ(count, 12u);
}

// The one field that went away (docs/model-file.md).
TEST(OldConfig, WithALastTemperatureIsRefusedByName) {
  const std::string text = read_file(kOldFiles / "refused/v2-last-temperature.json");
  EXPECT_ERROR(model_dir::parse_model_config(text, "config.json"), ErrorCode::kCorruptModel,
               "last_temperature");
}

// What a version does not know it does not take: a key of a later one is an unknown key.
TEST(OldConfig, KeysOfLaterVersionsAreUnknown) {
  const auto refused = [](const char* model, const char* from, const char* to, const char* key) {
    const std::string text = read_file(kOldFiles / "models" / model / "config.json");
    const std::string changed = test::replaced(text, from, to);
    EXPECT_ERROR(model_dir::parse_model_config(changed, "config.json"), ErrorCode::kCorruptModel,
                 key);
  };
  refused("v2-shortcuts", "\"version\": 2", "\"version\": 1", "shared");
  refused("v3-implied-words", "\"version\": 3", "\"version\": 2", "implied_words");
  refused("v4-absorbing-judge-fp32", "\"version\": 4", "\"version\": 3", "judge");
}

}  // namespace
}  // namespace diffie
