#include "lab/models/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "expect_error.h"
#include "lab/models/random_weights.h"

namespace diffie::lab {
namespace {

TEST(QuantizeRows, ErrorIsAtMostHalfAStep) {
  std::mt19937 random(1);
  for (const std::size_t cols : {1, 7, 8, 9, 63, 64, 65, 768}) {
    const std::size_t rows = 11;
    std::vector<float> values(rows * cols);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float size =
          std::ldexp(1.0f, static_cast<int>(i / cols) * 8 - 60);  // rows of any scale
      values[i] = size * (static_cast<float>(random()) / static_cast<float>(random.max()) - 0.5f);
    }
    const QuantizedRows result = quantize_rows(values, rows);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float scale = result.scales[i / cols];
      const float back = static_cast<float>(result.values[i]) * scale;
      ASSERT_LE(std::fabs(values[i] - back), scale * 0.5001f) << i;
      ASSERT_LE(std::abs(static_cast<int>(result.values[i])), 127);
    }
  }
}

TEST(QuantizeRows, KeepsTheLargestAndItsSign) {
  const std::vector<float> values = {-2.54f, 1.27f, 0, 0.01f, 0, 0, 0, 0};
  const QuantizedRows result = quantize_rows(values, 2);
  EXPECT_EQ(result.values, (std::vector<std::int8_t>{-127, 64, 0, 0, 0, 0, 0, 0}));  // 63.5 to even
  EXPECT_FLOAT_EQ(result.scales[0], 0.02f);
  EXPECT_EQ(result.scales[1], 0.0f);
}

TEST(QuantizeRows, TakesTheSmallestAndLargestFloats) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float huge = std::numeric_limits<float>::max();
  const std::vector<float> values = {tiny, -tiny, huge, -huge};
  const QuantizedRows result = quantize_rows(values, 2);
  EXPECT_EQ(result.values, (std::vector<std::int8_t>{0, 0, 127, -127}));
  EXPECT_TRUE(std::isfinite(result.scales[1] * 127));
}

TEST(QuantizeRows, RefusesWhatIsNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> values = {1, 2, 3, bad};
    EXPECT_ERROR(quantize_rows(values, 2), ErrorCode::kInvalidArgument, "row 1");
  }
}

TEST(TensorStore, KeepsSmallAndSensitiveTensorsInFp32) {
  const std::vector<float> values(8, 0.5f);
  for (const WeightType type :
       {WeightType::kF32, WeightType::kF16, WeightType::kBF16, WeightType::kI8}) {
    TensorStore store;
    store.add({"denoiser.head.weight", {4, 2}}, values, type);
    store.add({"denoiser.tag.weight", {4, 2}}, values, type);
    store.add({"denoiser.time.weight", {4, 2}}, values, type);
    store.add({"bert.embeddings.LayerNorm.weight", {8}}, values, type);
    for (const model_dir::TensorView& tensor : store.views())
      EXPECT_EQ(tensor.dtype, model_dir::DType::kF32) << tensor.name;
    store.add({"denoiser.fuse.weight", {4, 2}}, values, type);
    EXPECT_EQ(store.views()[4].dtype, dtype_of(type));
    EXPECT_EQ(store.views().size(), type == WeightType::kI8 ? 6u : 5u);
    std::vector<float> back(8);
    model_dir::to_f32(store.views()[4], type == WeightType::kI8 ? &store.views()[5] : nullptr,
                      back);
    for (const float value : back) EXPECT_FLOAT_EQ(value, 0.5f);
  }
}

TEST(RandomWeights, HasTheStatedMomentsAndIsAFunctionOfSeedAndName) {
  const model_dir::TensorSpec encoder = {"bert.embeddings.word_embeddings.weight", {1000, 100}};
  const std::vector<float> values = random_weights(encoder, 7);
  double sum = 0, squares = 0, fourth = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
  }
  const double count = static_cast<double>(values.size());
  EXPECT_NEAR(sum / count, 0, 0.02 * 4 / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(squares / count), 0.02, 0.02 * 0.01);
  EXPECT_NEAR(fourth * count / (squares * squares), 3 - 1.2 / 12, 0.1);  // kurtosis of 12 uniforms
  EXPECT_EQ(values, random_weights(encoder, 7));
  EXPECT_NE(values, random_weights(encoder, 8));
  EXPECT_NE(values, random_weights({"bert.other.weight", {1000, 100}}, 7));
  const std::vector<float> wide = random_weights({"denoiser.fuse.weight", {100, 700}}, 7);
  double wide_squares = 0;
  for (const double value : wide) wide_squares += value * value;
  EXPECT_NEAR(std::sqrt(wide_squares / static_cast<double>(wide.size())), 0.05, 0.001);
}

// Fixed numbers: another machine, compiler or library must give the same.
TEST(RandomWeights, GivesTheSameNumbersEverywhere) {
  const std::vector<float> values = random_weights({"denoiser.head.weight", {4, 4}}, 0);
  EXPECT_EQ(values[0], -0x1.845700p-1f);
  EXPECT_EQ(values[15], -0x1.d93400p-3f);
  EXPECT_EQ(random_weights({"a.norm.weight", {2}}, 0), (std::vector<float>{1, 1}));
  EXPECT_EQ(random_weights({"a.norm.bias", {2}}, 0), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace diffie::lab
