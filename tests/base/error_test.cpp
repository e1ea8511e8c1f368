#include "diffie/error.h"

#include <gtest/gtest.h>

namespace diffie {
namespace {

TEST(Error, CarriesCodeAndMessage) {
  try {
    throw Error(ErrorCode::kCorruptModel, "a.safetensors: header too long");
  } catch (const std::exception& caught) {
    EXPECT_STREQ(caught.what(), "a.safetensors: header too long");
    EXPECT_EQ(dynamic_cast<const Error&>(caught).code(), ErrorCode::kCorruptModel);
  }
  EXPECT_STREQ(to_string(ErrorCode::kCorruptModel), "corrupt model");
}

// Names of files and models may hold anything.
TEST(Error, IsOneLineOfUtf8) {
  const Error error(ErrorCode::kNotFound, "model 'a\nb\xFF\u202E': no such directory");
  EXPECT_STREQ(error.what(), "model 'a\\x0ab\uFFFD\\u202e': no such directory");
}

}  // namespace
}  // namespace diffie
