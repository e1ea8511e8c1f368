#include "message.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "diffie/error.h"

namespace diffie::server {
namespace {

TEST(PercentDecoded, ReadsEscapesAndLeavesTheRest) {
  EXPECT_EQ(percent_decoded("/a%20b%2Fc", false), "/a b/c");
  EXPECT_EQ(percent_decoded("%e4%BD%a0", false), "\xE4\xBD\xA0");
  EXPECT_EQ(percent_decoded("%00", false), std::string(1, '\0'));
  EXPECT_EQ(percent_decoded("a+b", false), "a+b");
  EXPECT_EQ(percent_decoded("a+b%2B", true), "a b+");
  for (const char* text : {"%", "%1", "a%", "%zz", "%-1", "%+1", "%1g", "% 1", "%%"})
    EXPECT_EQ(percent_decoded(text, false), text);
  EXPECT_EQ(percent_decoded("%%41", false), "%A");
}

TEST(QueryValue, FindsAParameter) {
  EXPECT_EQ(query_value("a=1&b=2&a=3", "a"), "1");
  EXPECT_EQ(query_value("a=1&b=2", "b"), "2");
  EXPECT_EQ(query_value("a&b=x%26y+z", "b"), "x&y z");
  EXPECT_EQ(query_value("b=x=y", "b"), "x=y");
  EXPECT_EQ(query_value("%62=1", "b"), "1");
  for (const char* query : {"", "&", "&&&", "b", "=", "ab=1", "b&c"})
    EXPECT_EQ(query_value(query, "b"), "") << query;
}

TEST(HttpDate, IsThatOfTheStandard) {
  const auto date = [](std::int64_t seconds) {
    return http_date(std::chrono::system_clock::time_point(std::chrono::seconds(seconds)));
  };
  EXPECT_EQ(date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(date(1'709'251'199), "Thu, 29 Feb 2024 23:59:59 GMT");
}

TEST(ToHttpError, KnowsWhatCanBeMendedAndWhatMayBeTriedAgain) {
  const auto expect = [](const std::exception& thrown, int status, const std::string& code) {
    const HttpError error = to_http_error(thrown, "format");
    EXPECT_EQ(error.status(), status) << thrown.what();
    EXPECT_EQ(error.code(), code) << thrown.what();
    EXPECT_EQ(error.field(), status == 400 ? "format" : "") << thrown.what();
  };
  expect(Error(ErrorCode::kInvalidArgument, "wrong"), 400, "invalid_argument");
  expect(Error(ErrorCode::kExhausted, "no memory"), 503, "exhausted");
  expect(Error(ErrorCode::kCancelled, "stopped"), 504, "deadline");
  expect(Error(ErrorCode::kInternal, "ours"), 500, "internal");
  expect(std::bad_alloc(), 503, "exhausted");
  expect(std::runtime_error("of others"), 500, "internal");
  expect(HttpError(413, "too_large", "as it is"), 413, "too_large");
}

TEST(ToAnswer, KeepsWhatTheErrorSays) {
  const Answer answer =
      to_answer(HttpError(405, "method_not_allowed", "a \"b\"").with_header("Allow", "POST"));
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.body,
            "{\"error\": {\"code\": \"method_not_allowed\", \"message\": \"a \\\"b\\\"\"}}\n");
  EXPECT_EQ(answer.error, "method_not_allowed");
  ASSERT_EQ(answer.headers.size(), 1u);
  EXPECT_EQ(answer.headers[0], (std::pair<std::string, std::string>("Allow", "POST")));
}

}  // namespace
}  // namespace diffie::server
