#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/utf8.h"

namespace diffie::base {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> lengths(std::string_view bytes) {
  std::vector<std::uint32_t> out;
  for (std::size_t pos = 0; pos < bytes.size();) {
    const Decoded decoded = decode_utf8(bytes, pos);
    out.push_back(decoded.length);
    pos += decoded.length;
  }
  return out;
}

TEST(Utf8, EveryScalarValueSurvives) {
  for (char32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    char bytes[4];
    const std::uint32_t length = encode_utf8(code_point, bytes);
    const Decoded decoded = decode_utf8({bytes, length}, 0);
    ASSERT_TRUE(decoded.valid);
    ASSERT_EQ(decoded.code_point, code_point);
    ASSERT_EQ(decoded.length, length);
    if (length > 1) {
      ASSERT_FALSE(decode_utf8({bytes, length - 1}, 0).valid);
      ASSERT_EQ(decode_utf8({bytes, length - 1}, 0).length, length - 1);
    }
  }
}

TEST(Utf8, BadBytesEndAtTheMaximalSubpart) {
  EXPECT_THAT(lengths("\xE2\x82"
                      "a"),
              ElementsAre(2, 1));
  EXPECT_THAT(lengths("\xED\xA0\x80"), ElementsAre(1, 1, 1));  // a surrogate
  EXPECT_THAT(lengths("\xC0\xAF"), ElementsAre(1, 1));         // overlong
  EXPECT_THAT(lengths("\xF0\x80\x80\x80"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(lengths("\xF4\x90\x80\x80"), ElementsAre(1, 1, 1, 1));  // above U+10FFFF
  EXPECT_THAT(lengths("\xF1\x80\x80\xE1\x80\xC2"), ElementsAre(3, 2, 1));
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(base::find_invalid_utf8(""), std::nullopt);
  EXPECT_EQ(base::find_invalid_utf8("plain ASCII, more than eight bytes, caf\u00E9"), std::nullopt);
  EXPECT_EQ(base::find_invalid_utf8("more than eight bytes \xC3"), 22u);
  EXPECT_EQ(base::find_invalid_utf8("\u00E9\xFF\xFF"), 2u);
}

TEST(JsonText, EscapesWhatJsonNeeds) {
  std::string out = "x";
  base::append_json_string(out, "a\"b\\c\n\t\r\x01\x7f\u00E9\xFF\xE2\x82");
  EXPECT_EQ(out, "x\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f\u00E9\uFFFD\uFFFD\"");
}

TEST(JsonText, ReadsBackForEveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    std::string out;
    base::append_json_string(out, text);
    const auto parsed = nlohmann::json::parse(out).get<std::string>();
    EXPECT_EQ(parsed, byte < 0x80 ? text : "a\uFFFDb");
  }
}

}  // namespace
}  // namespace diffie::base
