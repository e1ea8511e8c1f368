#include "diffie/settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "expect_error.h"
#include "settings/fields.h"

namespace diffie {
namespace {

template <typename Break>
void expect_refused(Break break_field, const char* fragment) {
  Settings settings;
  break_field(settings);
  EXPECT_ERROR(settings.validate(), ErrorCode::kInvalidArgument, fragment);
}

TEST(Settings, ImpossibleValuesAreRefusedByName) {
  EXPECT_NO_THROW(Settings{}.validate());
  expect_refused([](auto& s) { s.samples = 0; }, "samples is 0, must be from 1 to 65536");
  expect_refused([](auto& s) { s.samples = 65537; }, "samples is 65537");
  expect_refused([](auto& s) { s.steps = -1; }, "steps is -1");
  expect_refused([](auto& s) { s.top_k = 0; }, "top_k is 0");
  expect_refused([](auto& s) { s.tau = 0.0; }, "tau is 0, must be above 0 and at most 1");
  expect_refused([](auto& s) { s.tau = 1.01; }, "tau is 1.01");
  expect_refused([](auto& s) { s.tau = std::nan(""); }, "tau is nan");
  expect_refused([](auto& s) { s.temperature = 0.0; }, "temperature is 0");
  expect_refused([](auto& s) { s.min_confidence = -0.1; },
                 "min_confidence is -0.1, must be at least 0");
  expect_refused([](auto& s) { s.rule = static_cast<Rule>(3); },
                 "rule is 3, must be one of longest");
  expect_refused([](auto& s) { s.threads = -2; }, "threads is -2");
  expect_refused([](auto& s) { s.remask = 1.5; }, "remask is 1.5");
  expect_refused([](auto& s) { s.theta = 0; }, "theta is 0, must be at least 0.0001");
  expect_refused([](auto& s) { s.branch = 7; }, "branch is 7, must be from 1 to 6");
}

TEST(Settings, TimesAndSharedRowsMustFitTheSteps) {
  expect_refused(
      [](auto& s) {
        s.steps = 4, s.times = {16, 11, 6};
      },
      "times has 3 numbers (16,11,6) for 4 steps");
  expect_refused([](auto& s) { s.steps = 4, s.shared = {8, 1}; }, "shared has 2 numbers (8,1)");
  expect_refused([](auto& s) { s.steps = 2, s.times = {6, 6}; }, "times is 6,6, must be falling");
  expect_refused([](auto& s) { s.steps = 2, s.shared = {6, 4}; }, "4 does not divide 6");
}

TEST(Settings, DevicesAreGpusByNumber) {
  expect_refused(
      [](auto& s) {
        s.devices = {0, -1};
      },
      "devices is 0,-1, must be at most 64 numbers from 0 to 127, or none");
  expect_refused([](auto& s) { s.devices = {128}; }, "devices is 128");
  expect_refused([](auto& s) { s.devices.assign(65, 0); }, "must be at most 64 numbers");
  expect_refused(
      [](auto& s) {
        s.devices = {0, 1};
      },
      "devices is 0,1, but device is cpu: give device cuda or auto");
  Settings settings;
  settings.devices = {1, 0, 1};
  for (const Device device : {Device::kCuda, Device::kAuto}) {
    settings.device = device;
    EXPECT_NO_THROW(settings.validate());
  }
}

// Every field can be written as text and read back; what is not allowed is refused.
TEST(Settings, EveryFieldGoesThroughText) {
  Settings settings;
  const std::vector<std::pair<const char*, const char*>> values = {{"samples", "7"},
                                                                   {"steps", "3"},
                                                                   {"top_k", "9"},
                                                                   {"tau", "0.25"},
                                                                   {"rule", "all-runs"},
                                                                   {"selector", "coverage"},
                                                                   {"power", "1.5"},
                                                                   {"wording", "0.75"},
                                                                   {"min_confidence", "0.0625"},
                                                                   {"temperature", "0.5"},
                                                                   {"remask", "0.125"},
                                                                   {"times", "16,9,4"},
                                                                   {"shared", "32,4,2"},
                                                                   {"stratified", "true"},
                                                                   {"theta", "0.25"},
                                                                   {"branch", "4"},
                                                                   {"refine", "false"},
                                                                   {"judged", "48"},
                                                                   {"tidy", "true"},
                                                                   {"explicit_only", "true"},
                                                                   {"precision", "fp32"},
                                                                   {"device", "auto"},
                                                                   {"devices", "0,3,0"},
                                                                   {"seed", "18446744073709551615"},
                                                                   {"threads", "5"},
                                                                   {"pretokenized", "true"},
                                                                   {"asserted_only", "true"},
                                                                   {"split_coordination", "true"},
                                                                   {"drop_contained", "true"},
                                                                   {"skip_pronouns", "true"},
                                                                   {"mark_circumstances", "true"}};
  std::set<std::string> set;
  for (const auto& [name, value] : values) {
    ASSERT_NE(get_setting(settings, name), value);
    set_setting(settings, name, value);
    EXPECT_EQ(get_setting(settings, name), value);
    set.insert(name);
  }
  settings.validate();
  EXPECT_EQ(settings.rule, Rule::kAllRuns);
  EXPECT_EQ(settings.times, (std::vector<std::int32_t>{16, 9, 4}));
  const std::vector<SettingInfo> infos = setting_infos();
  EXPECT_EQ(set.size(), infos.size());
  for (const SettingInfo& info : infos) {
    EXPECT_TRUE(set.contains(info.name)) << info.name;
    EXPECT_FALSE(info.help.empty() || info.allowed.empty()) << info.name;
    EXPECT_ERROR(set_setting(settings, info.name, "no such value"), ErrorCode::kInvalidArgument,
                 info.name);
  }
  set_setting(settings, "times", "none");
  EXPECT_TRUE(settings.times.empty());
}

TEST(Settings, TextThatIsNoValueIsRefused) {
  Settings settings;
  for (const char* text :
       {"", "1x", " 1", "1.5", "99999999999", "0", "65537", "010", "00", "+5", "0x10"}) {
    EXPECT_ERROR(set_setting(settings, "samples", text), ErrorCode::kInvalidArgument, "samples is");
  }
  for (const char* text : {"", "x", "nan", "0", "1.1", "0.5 "}) {
    EXPECT_ERROR(set_setting(settings, "tau", text), ErrorCode::kInvalidArgument, "tau is");
  }
  for (const char* text : {"1,", ",1", "1;2", "0", "4097"}) {
    EXPECT_ERROR(set_setting(settings, "times", text), ErrorCode::kInvalidArgument, "times is");
  }
  for (const char* text : {"-1", "0,", ",", "00", "0;1", "all", "128"}) {
    EXPECT_ERROR(set_setting(settings, "devices", text), ErrorCode::kInvalidArgument, "devices is");
  }
  for (const char* text : {"", "-1", "18446744073709551616", "007", "1e3"}) {
    EXPECT_ERROR(set_setting(settings, "seed", text), ErrorCode::kInvalidArgument, "seed is");
  }
  EXPECT_ERROR(set_setting(settings, "stratified", "yes"), ErrorCode::kInvalidArgument,
               "true or false");
  EXPECT_ERROR(set_setting(settings, "rule", "shortest"), ErrorCode::kInvalidArgument,
               "one of longest, relation-runs, all-runs");
  EXPECT_ERROR(set_setting(settings, "colour", "red"), ErrorCode::kInvalidArgument, "'colour'");
}

// The page that repeats the table.
TEST(Settings, WhatIsRefusedChangesNothing) {
  for (const auto& [name, value] : {std::pair("times", "0,4,3"), {"samples", "0"}, {"tau", "7"}}) {
    Settings settings;
    EXPECT_THROW(set_setting(settings, name, value), Error) << name;
    EXPECT_EQ(settings, Settings()) << name;
  }
}

TEST(Settings, TheDocumentSaysWhatTheTableSays) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/docs/settings.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const SettingInfo& info : setting_infos()) {
    const std::string row =
        fmt::format("| {} | {} | {} |", info.allowed, info.help, info.in_preset ? "preset" : "run");
    const std::size_t at = page.find(fmt::format("\n| `{}` |", info.name));
    ASSERT_NE(at, std::string::npos) << info.name;
    EXPECT_NE(page.substr(at + 1, page.find('\n', at + 1) - at - 1).find(row), std::string::npos)
        << info.name << ": wanted " << row;
  }
}

}  // namespace
}  // namespace diffie
