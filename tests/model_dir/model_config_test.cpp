#include "model_dir/model_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "expect_error.h"
#include "model_dir/preset_json.h"

namespace diffie::model_dir {
namespace {

using nlohmann::json;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

ModelConfig valid_config() {
  ModelConfig config;
  config.name = "small";
  config.presets = standard_presets(config.diffusion);
  config.provenance = {{"licence", "Apache-2.0"}, {"seed", "1"}};
  return config;
}

// A valid config.json with one field replaced (or, for null, taken out).
std::string with(const std::string& pointer, const json& value) {
  json config = json::parse(to_json(valid_config()));
  const json::json_pointer where(pointer);
  if (value.is_null()) {
    const json::json_pointer parent = where.parent_pointer();
    config[parent].erase(where.back());
  } else {
    config[where] = value;
  }
  return config.dump();
}

ModelConfig parse(const std::string& text) { return parse_model_config(text, "config.json"); }

TEST(ModelConfig, SurvivesTheWayToJsonAndBack) {
  ModelConfig config = valid_config();
  config.trained = true;
  config.encoder = {6, 384, 12, 1536, 30522, 512, 2, 1e-12};
  config.denoiser = {2, 256, 4, 1e-5};
  config.diffusion = {diffusion::KernelKind::kAbsorbing,
                      diffusion::ScheduleKind::kMutualInformation, 64, 0.008};
  config.weights = {"a.safetensors", "b.safetensors"};
  config.presets["mine"] = {
      7, 3, 2, 0.25, Rule::kRelationRuns, SelectorKind::kFrequency, 1.5, 0.75, 0.06, 0.5, 0.1};
  config.default_preset = "mine";
  const std::string text = to_json(config);
  const ModelConfig read = parse(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(read.num_states(), 5);
  EXPECT_EQ(read.presets.at("mine").rule, Rule::kRelationRuns);
  EXPECT_EQ(read.presets.at("mine").remask, 0.1);
  EXPECT_EQ(read.encoder.layer_norm_eps, 1e-12);
  EXPECT_EQ(text.back(), '\n');
}

TEST(ModelConfig, PresetsAskForNothingThatTheModelLacks) {
  EXPECT_ERROR(parse(with("/presets/fast/remask", 0.5)), kCorrupt, "fast.remask: found 0.5");
  json config = json::parse(with("/presets/fast/judged", 4));
  config["version"] = 4;
  EXPECT_ERROR(parse(config.dump()), kCorrupt, "judged is 4, the model has no judge");
}

TEST(ModelConfig, ImpliedWordsNeedTheThirdVersion) {
  ModelConfig config = valid_config();
  config.implied_words = {"is", "had"};
  const std::string text = to_json(config);
  EXPECT_EQ(json::parse(text).at("version"), 3);
  EXPECT_EQ(parse(text).implied_words, config.implied_words);
  json older = json::parse(text);
  older["version"] = 2;
  EXPECT_ERROR(parse(older.dump()), kCorrupt, "implied_words");
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"is", "is"}, {"Is"}, {""}, {"a b"}, {"\xC3\xA9"}, std::vector<std::string>(65, "x")}) {
    json root = json::parse(text);
    root["implied_words"] = bad;
    EXPECT_ERROR(parse(root.dump()), kCorrupt, "implied_words");
  }
}

TEST(ModelConfig, AJudgeNeedsTheFourthVersion) {
  ModelConfig config = valid_config();
  EXPECT_FALSE(parse(to_json(config)).judge);
  config.judge = {2, 64, 4, 1e-6};
  const std::string text = to_json(config);
  EXPECT_EQ(json::parse(text).at("version"), 4);
  EXPECT_EQ(to_json(parse(text)), text);
  json root = json::parse(text);
  root["version"] = 3;
  EXPECT_ERROR(parse(root.dump()), kCorrupt, "judge");
  root["version"] = 4;
  root["judge"]["heads"] = 3;
  EXPECT_ERROR(parse(root.dump()), kCorrupt, "judge.heads: 3 does not divide hidden 64");
  root["judge"] = nullptr;
  EXPECT_ERROR(parse(root.dump()), kCorrupt, "judge");
}

TEST(ModelConfig, EncoderPartStandsAlone) {
  const EncoderConfig mini = {6, 384, 12, 1536, 30522, 512, 2, 1e-12};
  EXPECT_EQ(to_json(parse_encoder_config(to_json(mini), "encoder.json")), to_json(mini));
  EXPECT_ERROR(parse_encoder_config("[]", "encoder.json"), kCorrupt, "encoder.json: top level");
}

TEST(ModelConfig, StandardPresetsFitTheTrainedSteps) {
  for (const std::int32_t steps : {1, 4, 7, 16, 64}) {
    ModelConfig config = valid_config();
    config.diffusion.steps = steps;
    config.presets = standard_presets(config.diffusion);
    EXPECT_NO_THROW(parse(to_json(config))) << steps;
  }
  const auto presets = standard_presets({});
  EXPECT_EQ(presets.at("paper").samples, 512);
  EXPECT_EQ(presets.at("paper").selector, SelectorKind::kLenient);
  EXPECT_EQ(presets.at("best").steps, 16);
  EXPECT_EQ(presets.at("balanced").steps, 8);
  EXPECT_EQ(presets.at("fast").samples, 16);
  EXPECT_EQ(presets.at("fast").wording, 0.8);
}

ModelConfig anchored_config() {
  ModelConfig config = valid_config();
  config.diffusion = {.kernel = diffusion::KernelKind::kAnchored};
  config.presets = standard_presets(config.diffusion);
  return config;
}

TEST(ModelConfig, AnchoredModelsAreOfVersionFour) {
  const std::string text = to_json(anchored_config());
  EXPECT_EQ(json::parse(text).at("version"), 4);
  const ModelConfig read = parse(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(read.num_states(), 5);
  EXPECT_FALSE(read.presets.contains("paper"));
  EXPECT_EQ(read.presets.at("fast").theta, 0.06);
  EXPECT_EQ(read.presets.at("fast").branch, 1);
  EXPECT_FALSE(read.presets.at("fast").refine);
  EXPECT_EQ(read.presets.at("balanced").theta, 0.03);
  EXPECT_EQ(read.presets.at("best").branch, 4);
}

TEST(ModelConfig, AnchoredModelsHaveTheirStagesAndNoTimes) {
  ModelConfig config = anchored_config();
  config.diffusion.steps = 17;
  EXPECT_ERROR(parse(to_json(config)), kCorrupt, "steps: found 17, an anchored model has 16");
  const auto refuses = [](auto change, const char* what) {
    ModelConfig changed = anchored_config();
    change(changed.presets.at("best"));
    EXPECT_ERROR(parse(to_json(changed)), kCorrupt, what);
  };
  refuses([](Settings& preset) { preset.remask = 0.5; }, "remask: found 0.5");
  refuses([](Settings& preset) { preset.stratified = true; }, "stratified: found true");
  refuses([](Settings& preset) { preset.shared.assign(16, 1); }, "shared: found 1,1");
}

TEST(ModelConfig, OthersHaveNoAnchors) {
  ModelConfig config = valid_config();
  config.presets.at("best").theta = 0.5;
  EXPECT_ERROR(parse(to_json(config)), kCorrupt,
               "theta: found 0.5, a model with kernel uniform has none");
}

struct BadField {
  const char* pointer;
  json value;
};

TEST(ModelConfig, RefusesEveryFieldOutOfRangeOrOfAnotherType) {
  const std::vector<BadField> bad = {
      {"/format", "other"},
      {"/version", 0},
      {"/version", "1"},
      {"/name", 7},
      {"/name", std::string(300, 'x')},
      {"/trained", 1},
      {"/encoder", json::array()},
      {"/encoder/layers", 0},
      {"/encoder/layers", 65},
      {"/encoder/layers", 4294967297},
      {"/encoder/layers", 2.0},
      {"/encoder/hidden", 8193},
      {"/encoder/heads", 7},  // does not divide
      {"/encoder/heads", 0},
      {"/encoder/intermediate", -1},
      {"/encoder/vocab_size", 1000001},
      {"/encoder/max_positions", 8193},
      {"/encoder/type_vocab", 0},
      {"/encoder/layer_norm_eps", 0},
      {"/encoder/layer_norm_eps", "1e-12"},
      {"/denoiser/layers", 0},
      {"/denoiser/hidden", 0},
      {"/denoiser/heads", 3},
      {"/denoiser/layer_norm_eps", -1e-5},
      {"/diffusion/kernel", "gaussian"},
      {"/diffusion/schedule", ""},
      {"/diffusion/steps", 0},
      {"/diffusion/steps", 4097},
      {"/diffusion/cosine_s", 2},
      {"/tags", {"B", "S", "O", "R"}},
      {"/tags", {"B", "S", "R"}},
      {"/weights", json::array()},
      {"/weights", {"../model.safetensors"}},
      {"/weights", {"/etc/model.safetensors"}},
      {"/weights", {"a/b.safetensors"}},
      {"/weights", {".model.safetensors"}},
      {"/weights", {"model.bin"}},
      {"/weights", {"a.safetensors", "a.safetensors"}},
      {"/weights", {std::string("a\0.safetensors", 14)}},
      {"/weights", "model.safetensors"},
      {"/presets", json::object()},
      {"/presets/no name", json::object()},
      {"/presets/fast/samples", 65537},
      {"/presets/fast/steps", 17},
      {"/presets/fast/top_k", 0},
      {"/presets/fast/tau", 0},
      {"/presets/fast/tau", 1.01},
      {"/presets/fast/rule", "shortest"},
      {"/presets/fast/selector", "best"},
      {"/presets/fast/power", 0},
      {"/presets/fast/wording", 2},
      {"/presets/fast/min_confidence", -0.1},
      {"/presets/fast/temperature", 0},
      {"/presets/fast/remask", true},
      {"/default_preset", "absent"},
      {"/provenance/seed", 1},
  };
  EXPECT_NO_THROW(parse(with("/name", "fine")));
  for (const BadField& field : bad) {
    SCOPED_TRACE(std::string(field.pointer) + " = " + field.value.dump());
    std::string path = std::string(field.pointer).substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    EXPECT_ERROR(parse(with(field.pointer, field.value)), kCorrupt, "config.json: " + path);
  }
}

TEST(ModelConfig, RefusesMissingAndUnknownKeysAnywhere) {
  const json fields = json::parse(to_json(valid_config())).flatten();
  for (const auto& [pointer, value] : fields.items()) {
    if (pointer.starts_with("/tags") || pointer.starts_with("/weights") ||
        pointer.starts_with("/provenance")) {
      continue;
    }
    EXPECT_ERROR(parse(with(pointer, nullptr)), kCorrupt, "missing");
  }
  for (const char* pointer :
       {"/nmae", "/encoder/x", "/denoiser/x", "/diffusion/x", "/presets/best/x"}) {
    EXPECT_ERROR(parse(with(pointer, 1)), kCorrupt, "unknown key");
  }
}

TEST(ModelConfig, SaysWhenTheFileIsNewerThanTheProgram) {
  EXPECT_ERROR(parse(with("/version", 5)), ErrorCode::kUnsupported,
               "model format version 5, this build reads up to 4");
}

ModelConfig config_with_shortcuts() {
  ModelConfig config = valid_config();
  Settings& fast = config.presets.at("fast");
  fast.steps = 3;
  fast.times = {16, 9, 4};
  fast.shared = {64, 8, 2};
  fast.stratified = true;
  return config;
}

TEST(ModelConfig, ShortcutsNeedVersionTwoAndAreOffInVersionOne) {
  EXPECT_EQ(json::parse(to_json(valid_config())).at("version"), 1);
  EXPECT_FALSE(has_shortcuts(parse(to_json(valid_config())).presets.at("fast")));

  const std::string text = to_json(config_with_shortcuts());
  EXPECT_EQ(json::parse(text).at("version"), 2);
  const Settings fast = parse(text).presets.at("fast");
  EXPECT_EQ(fast.times, (std::vector<std::int32_t>{16, 9, 4}));
  EXPECT_EQ(fast.shared, (std::vector<std::int32_t>{64, 8, 2}));
  EXPECT_TRUE(fast.stratified);
  EXPECT_EQ(to_json(parse(text)), text);

  json old = json::parse(text);
  old["version"] = 1;
  EXPECT_ERROR(parse(old.dump()), kCorrupt, "unknown key");
}

TEST(ModelConfig, RefusesShortcutsThatCannotBe) {
  const json valid = json::parse(to_json(config_with_shortcuts()));
  const std::vector<BadField> bad = {
      {"/presets/fast/times", {16, 9}},
      {"/presets/fast/times", {16, 9, 9}},
      {"/presets/fast/times", {17, 9, 4}},
      {"/presets/fast/times", {16, 9, 0}},
      {"/presets/fast/times", {16, 9, -4}},
      {"/presets/fast/times", {16, 9, 4.0}},
      {"/presets/fast/times", 16},
      {"/presets/fast/shared", {64, 8}},
      {"/presets/fast/shared", {64, 0, 1}},
      {"/presets/fast/shared", {64, 7, 1}},
      {"/presets/fast/shared", {131072, 8, 1}},
      {"/presets/fast/stratified", 1},
  };
  EXPECT_NO_THROW(parse(valid.dump()));
  for (const BadField& field : bad) {
    SCOPED_TRACE(std::string(field.pointer) + " = " + field.value.dump());
    json broken = valid;
    broken[json::json_pointer(field.pointer)] = field.value;
    EXPECT_ERROR(parse(broken.dump()), kCorrupt, "config.json: presets.fast.");
  }
}

TEST(ModelConfig, RefusesHugeAndDeepFiles) {
  EXPECT_ERROR(parse(std::string((1 << 20) + 1, ' ')), kCorrupt, "at most");
  EXPECT_ERROR(parse(std::string(1 << 19, '[')), kCorrupt, "deeper");
}

}  // namespace
}  // namespace diffie::model_dir
