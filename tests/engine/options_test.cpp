#include "engine/options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"

namespace diffie {
namespace {

model_dir::ModelConfig config_with_presets() {
  model_dir::ModelConfig config;
  config.name = "toy";
  config.diffusion.steps = 8;
  config.presets["balanced"] = {};
  config.presets["balanced"].samples = 64;
  config.presets["balanced"].steps = 4;
  config.presets["fast"] = {};
  config.presets["fast"].samples = 16;
  config.presets["fast"].steps = 2;
  return config;
}

TEST(ExtractorOptions, EmptyPresetIsTheModelsDefault) {
  const ExtractorOptions options = engine::resolve_options({}, config_with_presets());
  EXPECT_EQ(options.preset, "balanced");
  EXPECT_EQ(options.samples, 64);
  EXPECT_EQ(options.steps, 4);
  EXPECT_GE(options.threads, 1);
}

TEST(ExtractorOptions, WhatIsSetWinsOverThePreset) {
  ExtractorOptions given;
  given.preset = "fast";
  given.samples = 5;
  const ExtractorOptions options = engine::resolve_options(given, config_with_presets());
  EXPECT_EQ(options.samples, 5);
  EXPECT_EQ(options.steps, 2);
}

TEST(ExtractorOptions, UnknownPresetNamesTheKnownOnes) {
  ExtractorOptions given;
  given.preset = "quick";
  EXPECT_ERROR(engine::resolve_options(given, config_with_presets()), ErrorCode::kInvalidArgument,
               "'quick', must be one of balanced, fast");
}

TEST(ExtractorOptions, MoreStepsThanTrainedAreRefused) {
  ExtractorOptions given;
  given.steps = 9;
  EXPECT_ERROR(engine::resolve_options(given, config_with_presets()), ErrorCode::kInvalidArgument,
               "from 1 to 8");
}

template <typename Break>
void expect_refused(Break break_field, const char* fragment) {
  ExtractorOptions options;
  break_field(options);
  EXPECT_ERROR(options.validate(), ErrorCode::kInvalidArgument, fragment);
}

TEST(ExtractorOptions, ImpossibleValuesAreRefusedByName) {
  expect_refused([](auto& o) { o.samples = 0; }, "samples is 0");
  expect_refused([](auto& o) { o.samples = 65537; }, "samples is 65537");
  expect_refused([](auto& o) { o.steps = -1; }, "steps is -1");
  expect_refused([](auto& o) { o.top_k = 0; }, "top-k is 0");
  expect_refused([](auto& o) { o.tau = 0.0; }, "tau is 0");
  expect_refused([](auto& o) { o.tau = 1.01; }, "tau is 1.01");
  expect_refused([](auto& o) { o.tau = std::nan(""); }, "tau is nan");
  expect_refused([](auto& o) { o.temperature = 0.0; }, "temperature is 0");
  expect_refused([](auto& o) { o.min_confidence = -0.1; }, "min-confidence is -0.1");
  expect_refused([](auto& o) { o.rule = "shortest"; }, "'shortest', must be one of longest");
  expect_refused([](auto& o) { o.selector = ""; }, "selector is ''");
  expect_refused([](auto& o) { o.precision = "fp16"; }, "'fp16', must be one of int8, fp32");
  expect_refused([](auto& o) { o.threads = -2; }, "threads is -2");
}

}  // namespace
}  // namespace diffie
