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
  for (const char* host : {"", "localhost", "LocalHost:8080", "localhost.", "localhost.:8080",
                           "localhost:", "127.0.0.1", "127.1.2.3:80", "[::1]", "[::1]:8080",
                           "[0:0:0:0:0:0:0:1]", "[0000::1]:80", "[::ffff:127.0.0.1]",
                           "[::FFFF:7F00:1]:80", "diffie.test:1", "DIFFIE.TEST", "diffie.test."})
    EXPECT_NO_THROW(access.check_host(from_host(host))) << host;
  for (const char* host : {"evil.example",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           ":80",
                           "evil.example:127.0.0.1",
                           "127.0.0.x",
                           "[::2]",
                           "a@localhost",
                           "127.",
                           "127.0.0.1.1",
                           "127.0.0.1:80:90",
                           "localhost:x",
                           "localhost:+1",
                           "localhost:65536",
                           "localhost..",
                           ".",
                           "::1",
                           "[::1",
                           "[::1]x",
                           "[]",
                           "[localhost]",
                           "[127.0.0.1]",
                           "[::ffff:10.0.0.1]",
                           "localhost/",
                           "localhost,evil.example"})
    EXPECT_HTTP_ERROR(access.check_host(from_host(host)), 403, "");
}

TEST(Access, ALoopbackAddressIsOneHoweverItIsWritten) {
  for (const char* address : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1",
                              "::ffff:127.0.0.1", "::ffff:7f00:1"}) {
    const Access access("", address, {});
    EXPECT_HTTP_ERROR(access.check_host(from_host("evil.example")), 403, "");
    EXPECT_NO_THROW(access.check_host(from_host("localhost"))) << address;
  }
}

TEST(Access, FurtherNamesAreOnes) {
  const Access access("", "::1", {"other.test:8080", "fe80::1", "[FE80:0::2]"});
  for (const char* host : {"other.test", "[fe80::1]", "[fe80::2]:80"})
    EXPECT_NO_THROW(access.check_host(from_host(host))) << host;
  for (const char* host : {"http://other.test", "other.test/", "a b",
                           "b\xc3\xbc"
                           "cher.example",
                           ":80"})
    EXPECT_ERROR(Access("", "::1", {host}), ErrorCode::kInvalidArgument, "--host is '");
}

TEST(Access, ElsewhereAnyNameIsOurs) {
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "::ffff:10.0.0.1"})
    EXPECT_NO_THROW(Access("", address, {}).check_host(from_host("example.org"))) << address;
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
  const Access other("", "127.0.0.1", {},
                     {"https://one.example/", "HTTPS://two.example:443", "http://[0::1]:80/",
                      "https://three.example:8443/"});
  for (const char* origin :
       {"https://one.example", "https://two.example", "http://[::1]", "https://three.example:8443"})
    EXPECT_TRUE(other.is_welcome_stranger(from_page(origin))) << origin;
  EXPECT_HTTP_ERROR(other.check_origin(from_page("null")), 403, "");
  EXPECT_TRUE(Access("", "::1", {}, {"*"}).is_welcome_stranger(from_page("http://any.example")));
}

TEST(Access, AnOriginThatNoBrowserWritesIsRefused) {
  for (const char* origin : {"app.example", "https://", "https://app.example/path", "//app.example",
                             "https://app.example//", "https://app.example:port", "https://*", "",
                             "https://a b", "https://app.example:443:443", "https://*.app.example"})
    EXPECT_ERROR(Access("", "::1", {}, {origin}), ErrorCode::kInvalidArgument, "--origin is '");
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

TEST(Access, WhatAnEditorAddsIsNoPartOfAKey) {
  const test::TempDir temp;
  const std::string path = (temp.path() / "keys").string();
  std::ofstream(path) << "\xEF\xBB\xBFone\n two \t\r\n \n\xEF\xBB\xBFthree";
  const Access access(path, "127.0.0.1", {});
  for (const char* key : {"Bearer one", "Bearer two", "Bearer \xEF\xBB\xBFthree"})
    EXPECT_NO_THROW(access.check_key(with_key(key))) << key;
  for (const char* key : {"Bearer \xEF\xBB\xBFone", "Bearer  two", "Bearer "})
    EXPECT_HTTP_ERROR(access.check_key(with_key(key)), 401, "");
}

TEST(Access, AKeyThatNobodyCanSendIsRefused) {
  const test::TempDir temp;
  const std::string path = (temp.path() / "keys").string();
  for (const std::string& key :
       {std::string("o\0n\0", 4), std::string("o\tn"), std::string("\x7F")}) {
    std::ofstream(path) << "first\n" << key << "\n";
    EXPECT_ERROR(Access(path, "::1", {}), ErrorCode::kInvalidArgument, "keys: line 2: a control");
  }
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
