#include "json_row.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "expect_error.h"

namespace diffie::cli {
namespace {

const RowFields kFields{"text", "id"};

TEST(JsonRow, TakesTextAndIdAndNothingElse) {
  const JsonRow row = read_json_row(
      R"({"x": {"text": 1, "id": [2]}, "id": "a\"b", "text": "caf\u00e9\n", "y": [[], {}]})",
      kFields);
  EXPECT_EQ(row.text, "caf\u00E9\n");
  EXPECT_EQ(row.id, "a\"b");
  EXPECT_EQ(read_json_row(R"({"text": "", "id": -7})", kFields).id, "-7");
  EXPECT_EQ(read_json_row(R"({"text": "t", "id": null})", {"text", ""}).id, "");
  EXPECT_EQ(read_json_row(R"({"body": "t", "text": 1})", {"body", ""}).text, "t");
  EXPECT_EQ(read_json_row(R"({"t": "both"})", {"t", "t"}).id, "both");
}

TEST(JsonRow, SaysWhatIsWrong) {
  const auto refuses = [](const std::string& line, const char* why) {
    EXPECT_ERROR(read_json_row(line, kFields), ErrorCode::kBadInput, why);
  };
  refuses("", "not JSON at byte");
  refuses("{\"text\": \"a\"", "not JSON at byte");
  refuses("{\"text\": \"a\", \"id\": 1} x", "not JSON at byte");
  refuses(R"({"text": "\ud8", "id": 1})", "not JSON at byte");
  refuses(R"({"text": "a", "x": 1e999, "id": 1})", "a number too large at byte 24");
  refuses(std::string("{\"text\": \"a\0b\", \"id\": 1}", 24), "zero byte at byte 11");
  refuses("[1]", "found an array, wanted an object");
  refuses("3", "found a number, wanted an object");
  refuses("\"x\"", "found a string, wanted an object");
  refuses(R"({"id": 1})", "no field 'text'");
  refuses(R"({"text": "a"})", "no field 'id'");
  refuses(R"({"text": null, "id": 1})", "field 'text' is null, wanted a string");
  refuses(R"({"text": 5, "id": 1})", "field 'text' is a number, wanted a string");
  refuses(R"({"text": {"a": "b"}, "id": 1})", "field 'text' is an object, wanted a string");
  refuses(R"({"text": "a", "id": 1.5})", "field 'id' is a fraction");
  refuses(R"({"text": "a", "id": 18446744073709551616})", "field 'id' is a number beyond 64 bits");
  refuses(R"({"text": "a", "id": -9223372036854775809})", "field 'id' is a number beyond 64 bits");
  refuses(R"({"text": "a", "id": true})", "field 'id' is true or false");
  refuses(R"({"text": "a", "id": 1, "text": "b"})", "field 'text' appears twice");
}

TEST(JsonRow, WhatIsNoCharacterIsReadAsUFFFD) {
  const auto read = [](const std::string& text) {
    return read_json_row("{\"text\": \"" + text + "\", \"id\": 1}", kFields);
  };
  EXPECT_EQ(read("a\xFF"
                 "b")
                .text,
            "a\uFFFDb");
  EXPECT_EQ(read("a\xE2\x82"
                 "b")
                .text,
            "a\uFFFDb");
  EXPECT_EQ(read("a\xFF").replaced, "invalid UTF-8");
  for (const auto& [written, text] : std::vector<std::pair<std::string, std::string>>{
           {R"(a\ud800 b)", "a\uFFFD b"},
           {R"(\udc00)", "\uFFFD"},
           {R"(\uDBFF)", "\uFFFD"},
           {R"(\ud800\ud83d\ude00)", "\uFFFD\U0001F600"},
           {R"(\ud800\n\ude00)", "\uFFFD\n\uFFFD"},
           {R"(\\\ud800\\)", "\\\uFFFD\\"}}) {
    EXPECT_EQ(read(written).text, text) << written;
    EXPECT_EQ(read(written).replaced, "a lone surrogate") << written;
  }
  for (const auto& [written, text] :
       std::vector<std::pair<std::string, std::string>>{{R"(\ud83d\ude00)", "\U0001F600"},
                                                        {R"(\\ud800)", "\\ud800"},
                                                        {R"(\u00e9\ufffd)", "\u00E9\uFFFD"}}) {
    EXPECT_EQ(read(written).text, text) << written;
    EXPECT_EQ(read(written).replaced, "") << written;
  }
}

TEST(JsonRow, DepthIsCapped) {
  const auto nested = [](std::size_t depth) {
    return "{\"text\": \"a\", \"id\": 1, \"x\": " + std::string(depth, '[') +
           std::string(depth, ']') + "}";
  };
  EXPECT_EQ(read_json_row(nested(63), kFields).text, "a");
  EXPECT_ERROR(read_json_row(nested(64), kFields), ErrorCode::kBadInput, "nested deeper than 64");
  EXPECT_ERROR(read_json_row(nested(1'000'000), kFields), ErrorCode::kBadInput, "nested deeper");
}

}  // namespace
}  // namespace diffie::cli
