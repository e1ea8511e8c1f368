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

}  // namespace
}  // namespace diffie
