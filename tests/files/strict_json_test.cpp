#include "files/strict_json.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/field_error.h"
#include "expect_error.h"

namespace diffie::files {
namespace {

constexpr auto kCorrupt = ErrorCode::kCorruptModel;

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(StrictJson, ReadsWhatIsPlain) {
  const auto json = parse_strict_json(R"( {"a": [1, -2, 0.5, null, true, "x"], "b": {}} )", "f");
  EXPECT_EQ(json.dump(), R"({"a":[1,-2,0.5,null,true,"x"],"b":{}})");
  EXPECT_EQ(parse_strict_json("7", "f").get<int>(), 7);
}

TEST(StrictJson, RefusesDepthBeyondTheCap) {
  EXPECT_NO_THROW(parse_strict_json(nested(8), "f"));
  EXPECT_ERROR(parse_strict_json(nested(9), "f"), kCorrupt, "f: JSON is nested deeper than 8");
  EXPECT_ERROR(parse_strict_json(nested(5'000'000), "f"), kCorrupt, "deeper");
  EXPECT_ERROR(parse_strict_json(std::string(5'000'000, '['), "f"), kCorrupt, "deeper");
}

TEST(StrictJson, RefusesMoreValuesThanTheCap) {
  EXPECT_NO_THROW(parse_strict_json("[1,2,3]", "f", {.max_values = 4}));
  EXPECT_ERROR(parse_strict_json("[1,2,3,4]", "f", {.max_values = 4}), kCorrupt,
               "more than 4 JSON values");
}

TEST(StrictJson, SaysWhereADuplicateKeyStands) {
  for (const auto& [text, field] : std::vector<std::pair<std::string, std::string>>{
           {R"({"a": 1, "a": 2})", "a"},
           {R"({"x": {"b": 0}, "y": {"z": [[], {}, {"a": 1, "a": 2}]}})", "y.z[2].a"},
           {R"([[0, {"a": 1, "a": 2}]])", "[0][1].a"}}) {
    try {
      parse_strict_json(text, "f");
      ADD_FAILURE() << text;
    } catch (const base::FieldError& error) {
      EXPECT_EQ(error.field(), field);
    }
  }
}

TEST(StrictJson, RefusesDuplicateKeys) {
  EXPECT_ERROR(parse_strict_json(R"({"a": 1, "b": 2, "a": 1})", "f"), kCorrupt,
               "'a' appears twice");
  EXPECT_ERROR(parse_strict_json(R"({"x": {"\u0061": 1, "a": null}})", "f"), kCorrupt,
               "'a' appears twice");
}

TEST(StrictJson, RefusesWhatIsNotJson) {
  for (const std::string text :
       {"", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "[1] x", "[1][2]", "nul", "01", "1e999", "NaN",
        "\"\xff\"", "\"\xc0\x80\"", "'a'", "[1] // c", "{\"a\" 1}", "\"a\nb\""}) {
    EXPECT_ERROR(parse_strict_json(text, "file.json"), kCorrupt, "file.json: not JSON at byte");
  }
}

TEST(StrictJson, RefusesAZeroByteInsteadOfStoppingThere) {
  EXPECT_ERROR(parse_strict_json(std::string("{}\0garbage", 10), "f"), kCorrupt,
               "zero byte at byte 2");
}

TEST(StrictJson, MessagesStayOneShortLine) {
  const std::string key = "line\nbreak\x1b" + std::string(100'000, 'k');
  try {
    parse_strict_json("{\"line\\nbreak\\u001b" + std::string(100'000, 'k') + "\":{\"" + key, "f");
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 200u);
  }
  const auto json =
      parse_strict_json("{\"line\\nbreak\\u001b" + std::string(9'000, 'k') + "\":1}", "f");
  try {
    JsonObject(json, "f").finish();
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_LT(message.size(), 200u);
    EXPECT_EQ(message.find_first_of("\n\x1b"), std::string::npos);
  }
}

class JsonObjectTest : public testing::Test {
 protected:
  const nlohmann::json json_ = parse_strict_json(
      R"({"i": 5, "neg": -1, "big": 18446744073709551615, "wide": 4294967301, "d": 0.5, "huge": 1e300,
          "s": "text", "t": true, "n": null, "o": {"inner": {"x": "y"}},
          "shape": [1, 18446744073709551615], "words": ["a", "b"], "mixed": ["a", 1], "f": [1.0]})",
      "m.json");
  JsonObject object_{json_, "m.json"};
};

TEST_F(JsonObjectTest, ReadsFieldsWithTypeAndRange) {
  EXPECT_EQ(object_.integer("i", 0, 5), 5);
  EXPECT_EQ(object_.int32("neg", -1, 1), -1);
  EXPECT_EQ(object_.number("d", 0, 1), 0.5);
  EXPECT_EQ(object_.number("i", 0, 9), 5.0);
  EXPECT_EQ(object_.string("s", 4), "text");
  EXPECT_TRUE(object_.boolean("t"));
  EXPECT_EQ(object_.strings("words", 2, 1), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(object_.unsigneds("shape", 2), (std::vector<std::uint64_t>{1, ~0ull}));
  const std::array<std::string_view, 2> names = {"other", "text"};
  EXPECT_EQ(object_.one_of("s", names), 1u);
  EXPECT_EQ(object_.object("o").object("inner").string("x", 1), "y");
}

TEST_F(JsonObjectTest, RefusesIntegersThatDoNotFitInsteadOfWrapping) {
  EXPECT_ERROR(object_.int32("wide", 0, 100), kCorrupt,
               "m.json: wide: found 4294967301, wanted an integer in 0..100");
  EXPECT_ERROR(object_.integer("big", -9, 9), kCorrupt, "big: found 18446744073709551615");
  EXPECT_ERROR(object_.int32("d", 0, 100), kCorrupt, "found 0.5");
  EXPECT_ERROR(object_.int32("huge", 0, 100), kCorrupt, "found 1e+300");
  EXPECT_ERROR(object_.int32("neg", 0, 100), kCorrupt, "found -1");
  EXPECT_ERROR(object_.unsigneds("f", 9), kCorrupt, "found 1.0");
}

TEST_F(JsonObjectTest, RefusesOtherTypes) {
  EXPECT_ERROR(object_.int32("t", 0, 1), kCorrupt, "found true");
  EXPECT_ERROR(object_.number("s", 0, 1), kCorrupt, "found 'text'");
  EXPECT_ERROR(object_.boolean("i"), kCorrupt, "found 5, wanted true or false");
  EXPECT_ERROR(object_.string("n", 9), kCorrupt, "found null");
  EXPECT_ERROR(object_.string("o", 9), kCorrupt, "found object");
  EXPECT_ERROR(object_.string("s", 3), kCorrupt, "4 bytes");
  EXPECT_ERROR(object_.strings("mixed", 9, 9), kCorrupt, "found 1");
  EXPECT_ERROR(object_.strings("words", 1, 9), kCorrupt, "at most 1");
  EXPECT_ERROR(object_.object("words"), kCorrupt, "m.json: words: found array");
  EXPECT_ERROR(object_.integer("absent", 0, 1), kCorrupt, "m.json: absent: missing");
  const std::array<std::string_view, 2> names = {"a", "b"};
  EXPECT_ERROR(object_.one_of("s", names), kCorrupt, "found 'text', wanted one of a, b");
}

TEST_F(JsonObjectTest, NamesThePathOfAnUnknownKey) {
  JsonObject inner = object_.object("o").object("inner");
  EXPECT_ERROR(inner.finish(), kCorrupt, "m.json: o.inner.x: unknown key");
  inner.string("x", 1);
  EXPECT_NO_THROW(inner.finish());
}

}  // namespace
}  // namespace diffie::files
