#include "access.h"

#include <fstream>

#include "expect_error.h"
#include "expect_http_error.h"
#include "temp_dir.h"

namespace diffie::server {
namespace {

Head from_host(const std::string& host) {
  Head head;
  head.host = host;
  return head;
}

Head with_key(const std::string& authorization) {
  Head head;
  head.authorization = authorization;
  return head;
}

TEST(Access, OnLoopbackOnlyLoopbackNamesAreOurs) {
  const Access access("", "127.0.0.1", {"Diffie.Test"});
  for (const char* host : {"", "localhost", "LocalHost:8080", "127.0.0.1", "127.1.2.3:80", "[::1]",
                           "[::1]:8080", "diffie.test:1", "DIFFIE.TEST"})
    EXPECT_NO_THROW(access.check_host(from_host(host))) << host;
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           ":80", "evil.example:127.0.0.1", "127.0.0.x", "[::2]", "a@localhost"})
    EXPECT_HTTP_ERROR(access.check_host(from_host(host)), 403, "");
}

TEST(Access, ElsewhereAnyNameIsOurs) {
  EXPECT_NO_THROW(Access("", "0.0.0.0", {}).check_host(from_host("example.org")));
}

Head from_page(const std::string& origin) {
  Head head = from_host("localhost:8080");
  head.origin = origin;
  return head;
}

TEST(Access, PagesOfOthersMayNotAsk) {
  const Access access("", "127.0.0.1", {"Diffie.Test"});
  for (const char* origin : {"", "http://localhost:8080", "https://LOCALHOST:8080",
                             "https://diffie.test", "http://diffie.test:99"}) {
    EXPECT_NO_THROW(access.check_origin(from_page(origin))) << origin;
    EXPECT_FALSE(access.is_welcome_stranger(from_page(origin))) << origin;
  }
  for (const char* origin : {"null", "http://localhost", "http://localhost:3000",
                             "https://evil.example", "http://localhost:8080.evil.example",
                             "http://evil.example#localhost:8080", "localhost:8080", "://",
                             "http://", "file://", "http://localhost:8080, http://evil.example"})
    EXPECT_HTTP_ERROR(access.check_origin(from_page(origin)), 403, "");
}

TEST(Access, PagesOfOthersMayAskWhereTheyAreNamed) {
  const Access access("", "127.0.0.1", {}, {"https://App.Example", "null"});
  for (const char* origin : {"https://app.example", "https://APP.example", "null"}) {
    EXPECT_NO_THROW(access.check_origin(from_page(origin))) << origin;
    EXPECT_TRUE(access.is_welcome_stranger(from_page(origin))) << origin;
  }
  for (const char* origin : {"http://app.example", "https://app.example:8443", "*"})
    EXPECT_HTTP_ERROR(access.check_origin(from_page(origin)), 403, "");
  EXPECT_TRUE(Access("", "::1", {}, {"*"}).is_welcome_stranger(from_page("http://any.example")));
}

TEST(Access, AKeyOfTheFileIsNeeded) {
  const test::TempDir temp;
  const std::string path = (temp.path() / "keys").string();
  std::ofstream(path) << "one\r\n\ntwo words\n";
  const Access access(path, "127.0.0.1", {});
  for (const char* key : {"Bearer one", "bearer one", "BEARER two words"})
    EXPECT_NO_THROW(access.check_key(with_key(key))) << key;
  for (const char* key : {"", "Bearer", "Bearer ", "Bearer on", "Bearer one ", "Bearer onee",
                          "Basic one", "one", "Bearer ONE", "Bearer two"})
    EXPECT_HTTP_ERROR(access.check_key(with_key(key)), 401, "");
}

TEST(Access, WithoutAFileNoKeyIsNeeded) {
  EXPECT_NO_THROW(Access("", "127.0.0.1", {}).check_key(with_key("")));
}

TEST(Access, AFileWithoutKeysIsRefused) {
  const test::TempDir temp;
  const std::string path = (temp.path() / "keys").string();
  EXPECT_ERROR(Access(path, "::1", {}), ErrorCode::kNotFound, "keys");
  std::ofstream(path) << "\n\r\n";
  EXPECT_ERROR(Access(path, "::1", {}), ErrorCode::kInvalidArgument, "has no key");
}

}  // namespace
}  // namespace diffie::server
