#include "train/toml.h"

#include <gtest/gtest.h>

#include "expect_error.h"

namespace diffie::train {
namespace {

TEST(Toml, ReadsEveryKindOfValue) {
  const auto entries = parse_toml(
      "top = 1 # comment\n\n[a]\r\ns = \"x # \\\"y\\\" \\\\ \\n\"\nf = -2.5e-3\nb = true\n"
      "big = 1_000\n[b-2]\nlist = [1, 2.5, # two\n  [\"n\"],\n]\nempty = []",
      "t");
  ASSERT_EQ(entries.size(), 7u);
  EXPECT_EQ(entries[0].path, "top");
  EXPECT_EQ(std::get<std::int64_t>(entries[0].value.data), 1);
  EXPECT_EQ(entries[1].path, "a.s");
  EXPECT_EQ(std::get<std::string>(entries[1].value.data), "x # \"y\" \\ \n");
  EXPECT_EQ(entries[1].line, 4u);
  EXPECT_EQ(std::get<double>(entries[2].value.data), -2.5e-3);
  EXPECT_TRUE(std::get<bool>(entries[3].value.data));
  EXPECT_EQ(std::get<std::int64_t>(entries[4].value.data), 1000);
  EXPECT_EQ(std::get<TomlValue::Array>(entries[5].value.data).size(), 3u);
  EXPECT_TRUE(std::get<TomlValue::Array>(entries[6].value.data).empty());
}

TEST(Toml, NamesTheLineOfWhatItRefuses) {
  const auto refuse = [](std::string_view text, const char* fragment) {
    EXPECT_ERROR(parse_toml(text, "f.toml"), ErrorCode::kBadInput, fragment);
  };
  refuse("a = 1\nb = maybe\n", "f.toml:2: 'maybe'");
  refuse("a = 1 2\n", "f.toml:1");
  refuse("a = \"x\ny\"\n", "does not end");
  refuse("a = \"\\u0041\"", "escape");
  refuse("a 1\n", "'='");
  refuse("a = 1\na = 2\n", "'a' is set twice");
  refuse("[t]\n[t]\n", "twice");
  refuse("[t\n", "']'");
  refuse("a = [1 2]\n", "array");
  refuse("a = [[[[[1]]]]]\n", "too deeply");
  refuse("a.b = 1\n", "'='");
  refuse("a = nan\n", "nan");
  refuse("a = 1e999\n", "1e999");
  refuse("a = \n", "no number");
  refuse("= 1\n", "bare key");
}

TEST(Toml, WhatItSpellsItReadsBack) {
  for (const double value : {0.1, 1.0, 5e-5, 1e-12, -3.25e20}) {
    EXPECT_EQ(std::get<double>(parse_toml_value(toml_number(value), "v").data), value);
  }
  const std::string awkward = "tab\t\"quote\" back\\slash\nline é";
  EXPECT_EQ(std::get<std::string>(parse_toml_value(toml_string(awkward), "v").data), awkward);
}

}  // namespace
}  // namespace diffie::train
