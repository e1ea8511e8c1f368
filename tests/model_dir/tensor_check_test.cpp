// Which tensors may be weights, and which values may stand in them.
#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "model_dir/model_dir.h"

namespace diffie::model_dir {
namespace {

const std::vector<float> kFloats(6);

TensorView f32(const std::string& name, const std::vector<std::uint64_t>& shape) {
  return {name, DType::kF32, shape, std::as_bytes(std::span(kFloats))};
}

// What is wrong with the tensor "w" of that shape among these.
std::string problem(const std::vector<std::uint64_t>& shape, std::vector<TensorView> tensors) {
  return tensor_problem({"w", shape}, [&](std::string_view name) -> const TensorView* {
    for (const TensorView& tensor : tensors) {
      if (tensor.name == name) return &tensor;
    }
    return nullptr;
  });
}

TensorView of_type(DType dtype, const std::vector<std::uint64_t>& shape = {2, 3}) {
  TensorView tensor = f32("w", shape);
  tensor.dtype = dtype;
  return tensor;
}

TEST(TensorProblem, FloatingPointIsTakenInItsShape) {
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16})
    EXPECT_EQ(problem({2, 3}, {of_type(dtype)}), "");
  EXPECT_EQ(problem({2, 3}, {}), "tensor 'w' is missing");
  EXPECT_EQ(problem({3, 2}, {of_type(DType::kF32)}), "tensor 'w' is [2, 3], wanted [3, 2]");
}

TEST(TensorProblem, IntegersAreMatricesOfInt8WithScales) {
  const TensorView quantized = of_type(DType::kI8);
  EXPECT_EQ(problem({2, 3}, {quantized, f32("w.scale", {2})}), "");
  EXPECT_EQ(problem({2, 3}, {quantized}), "tensor 'w' is I8 and has no .scale");
  EXPECT_EQ(problem({2, 3}, {quantized, f32("w.scale", {3})}),
            "tensor 'w.scale' is F32 [3], wanted F32 [2]");
  TensorView half = f32("w.scale", {2});
  half.dtype = DType::kF16;
  EXPECT_EQ(problem({2, 3}, {quantized, half}), "tensor 'w.scale' is F16 [2], wanted F32 [2]");
  for (const DType dtype : {DType::kU8, DType::kI32, DType::kI64}) {
    EXPECT_EQ(problem({2, 3}, {of_type(dtype)}),
              "tensor 'w' is " + std::string(name_of(dtype)) + ", wanted F32, F16, BF16 or I8");
  }
  EXPECT_EQ(problem({6}, {of_type(DType::kI8, {6}), f32("w.scale", {6})}),
            "tensor 'w' is I8, wanted F32, F16, BF16");
}

template <typename Bits>
std::string problem_of_bits(DType dtype, Bits bits) {
  const std::vector<Bits> values = {0, bits};
  return values_problem({"w", dtype, {2}, std::as_bytes(std::span(values))});
}

// 1024, the next number above it, infinity and what is no number, of either sign.
TEST(ValuesProblem, WeightsAreFiniteAndAtMost1024) {
  const std::string beyond = "tensor 'w' holds values beyond 1024";
  const std::string infinite = "tensor 'w' holds values that are not finite";
  for (const std::uint32_t sign : {0u, 0x80000000u}) {
    EXPECT_EQ(problem_of_bits<std::uint32_t>(DType::kF32, sign | 0x44800000u), "");
    EXPECT_EQ(problem_of_bits<std::uint32_t>(DType::kF32, sign | 0x44800001u), beyond);
    EXPECT_EQ(problem_of_bits<std::uint32_t>(DType::kF32, sign | 0x7f7fffffu), beyond);
    EXPECT_EQ(problem_of_bits<std::uint32_t>(DType::kF32, sign | 0x7f800000u), infinite);
    EXPECT_EQ(problem_of_bits<std::uint32_t>(DType::kF32, sign | 0x7fc00000u), infinite);
  }
  for (const unsigned sign : {0u, 0x8000u}) {
    const auto bits = [&](unsigned rest) { return static_cast<std::uint16_t>(sign | rest); };
    EXPECT_EQ(problem_of_bits(DType::kF16, bits(0x6400)), "");
    EXPECT_EQ(problem_of_bits(DType::kF16, bits(0x6401)), beyond);
    EXPECT_EQ(problem_of_bits(DType::kF16, bits(0x7bff)), beyond);
    EXPECT_EQ(problem_of_bits(DType::kF16, bits(0x7c00)), infinite);
    EXPECT_EQ(problem_of_bits(DType::kF16, bits(0x7e00)), infinite);
    EXPECT_EQ(problem_of_bits(DType::kBF16, bits(0x4480)), "");
    EXPECT_EQ(problem_of_bits(DType::kBF16, bits(0x4481)), beyond);
    EXPECT_EQ(problem_of_bits(DType::kBF16, bits(0x7f7f)), beyond);
    EXPECT_EQ(problem_of_bits(DType::kBF16, bits(0x7f80)), infinite);
    EXPECT_EQ(problem_of_bits(DType::kBF16, bits(0x7fc0)), infinite);
  }
}

TEST(ValuesProblem, AnIntegerIsAlwaysAWeight) {
  EXPECT_EQ(problem_of_bits<std::uint8_t>(DType::kI8, 0xff), "");
  EXPECT_EQ(problem_of_bits<std::uint64_t>(DType::kI64, ~0ull), "");
  EXPECT_EQ(values_problem({"w", DType::kF32, {0}, {}}), "");
}

TEST(ValuesProblem, NamesAreShownWithoutControls) {
  const std::vector<float> values = {std::numeric_limits<float>::infinity()};
  EXPECT_EQ(
      values_problem({"a\x1b[2J", DType::kF32, {1}, std::as_bytes(std::span(values))}).find('\x1b'),
      std::string::npos);
}

// What is read again from a file that stays open: the limits of the check, and int8's by its scale.
TEST(CheckValues, SaysHowManyAreNoWeights) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const TensorView floats = f32("w\x1b", {4});
  const std::vector<float> good = {1024, -1024, 0, -0.0f};
  const std::vector<float> bad = {1024.01f, -kInfinite, kNone, 1};
  EXPECT_NO_THROW(check_values(floats, good));
  EXPECT_NO_THROW(check_values(floats, {}));
  EXPECT_ERROR(check_values(floats, bad), ErrorCode::kCorruptModel,
               "tensor 'w\\x1b' holds 3 values beyond 1024");

  const TensorView quantized = of_type(DType::kI8, {4});
  const std::vector<float> most = {131072, -131072, 1025, 0}, more = {131073, kNone, 0, 0};
  EXPECT_NO_THROW(check_values(quantized, most));
  EXPECT_ERROR(check_values(quantized, more), ErrorCode::kCorruptModel,
               "tensor 'w' holds 2 values beyond 131072");
}

}  // namespace
}  // namespace diffie::model_dir
