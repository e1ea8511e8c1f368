#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "model_dir/safetensors.h"

namespace diffie::model_dir {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(HalfFloat, EveryFp16PatternSurvivesTheWayToFp32AndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(f32_to_f16(f16_to_f32(half)), half) << bits;
  }
}

TEST(HalfFloat, EveryBf16PatternSurvivesTheWayToFp32AndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(f32_to_bf16(bf16_to_f32(half)), half) << bits;
  }
}

TEST(HalfFloat, Fp16ValuesAreThoseOfTheirFields) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const double mantissa = (bits & 0x3ff) + (exponent == 0 ? 0 : 1024);
    const double value = std::ldexp(mantissa, (exponent == 0 ? 1 : exponent) - 25);
    ASSERT_EQ(f16_to_f32(static_cast<std::uint16_t>(bits)), value) << bits;
    ASSERT_EQ(f16_to_f32(static_cast<std::uint16_t>(bits | 0x8000)), -value) << bits;
  }
  EXPECT_EQ(f16_to_f32(0x7c00), kInf);
  EXPECT_EQ(f16_to_f32(0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(f16_to_f32(0x7c01)));
  EXPECT_TRUE(std::signbit(f16_to_f32(0x8000)));
}

// Between two neighbours: a little less than the middle goes down, a little more goes up, the
// middle goes to the even one.
template <typename ToFloat, typename FromFloat>
void expect_nearest_even(std::uint16_t last_finite, ToFloat to_float, FromFloat from_float) {
  for (std::uint32_t bits = 0; bits < last_finite; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const auto middle =
        static_cast<float>((static_cast<double>(to_float(low)) + to_float(high)) / 2);
    ASSERT_EQ(from_float(middle), bits % 2 == 0 ? low : high) << bits;
    ASSERT_EQ(from_float(std::nextafter(middle, 0.0f)), low) << bits;
    ASSERT_EQ(from_float(std::nextafter(middle, kInf)), high) << bits;
    ASSERT_EQ(from_float(-middle), (bits % 2 == 0 ? low : high) | 0x8000) << bits;
  }
}

TEST(HalfFloat, Fp16RoundsToNearestEven) { expect_nearest_even(0x7bff, f16_to_f32, f32_to_f16); }

TEST(HalfFloat, Bf16RoundsToNearestEven) { expect_nearest_even(0x7f7f, bf16_to_f32, f32_to_bf16); }

TEST(HalfFloat, Fp16Limits) {
  EXPECT_EQ(f32_to_f16(65504.0f), 0x7bff);
  EXPECT_EQ(f32_to_f16(65519.996f), 0x7bff);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00);  // ties away from the odd largest value
  EXPECT_EQ(f32_to_f16(-1e30f), 0xfc00);
  EXPECT_EQ(f32_to_f16(kInf), 0x7c00);
  EXPECT_EQ(f32_to_f16(0x1p-25f), 0x0000);
  EXPECT_EQ(f32_to_f16(std::nextafter(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(f32_to_f16(-1e-30f), 0x8000);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(HalfFloat, NanStaysNanWhenItsPayloadIsCutOff) {
  const auto low_payload = std::bit_cast<float>(0x7f800001u);
  EXPECT_TRUE(std::isnan(f16_to_f32(f32_to_f16(low_payload))));
  EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(low_payload))));
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);  // rounds to infinity
}

}  // namespace
}  // namespace diffie::model_dir
