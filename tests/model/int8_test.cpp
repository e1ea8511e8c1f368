// Models with int8 weights: both ways of computing with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diffie/lab/model_files.h"
#include "golden.h"
#include "model/denoiser.h"
#include "model/encoder.h"
#include "temp_dir.h"

namespace diffie::model {
namespace {

class Int8Test : public testing::Test {
 protected:
  Int8Test() {
    convert_model(golden_folder() / "uniform", temp / "int8", WeightType::kI8);
    convert_model(temp / "int8", temp / "fp32", WeightType::kF32);
  }

  std::vector<float> encode(const BertEncoder& encoder) {
    const auto ids = golden.values<std::int32_t>("ids");
    std::vector<float> out(ids.size() * 32);
    encoder.forward(ids, golden.values<std::uint32_t>("offsets"), out, workspace);
    return out;
  }

  std::vector<float> denoise(const Denoiser& denoiser, const std::vector<std::uint32_t>& offsets,
                             const std::vector<std::uint32_t>& begins,
                             std::span<const std::uint8_t> states) {
    const auto context = golden.values<float>("hidden");
    std::vector<float> projected(context.size() / 2), logits(states.size() * 4);
    denoiser.project_context(context, context.size() / 32, projected, workspace);
    denoiser.forward(projected, {offsets, begins}, states, 7, logits, workspace);
    return logits;
  }
  std::vector<float> denoise(const Denoiser& denoiser) {
    return denoise(denoiser, golden.values<std::uint32_t>("row_offsets"),
                   golden.values<std::uint32_t>("context_begin"),
                   golden.values<std::uint8_t>("states"));
  }

  test::TempDir temp;
  Golden golden{"uniform"};
  Workspace workspace;
};

double relative_error(std::span<const float> found, std::span<const float> want) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    error += (found[i] - want[i]) * (found[i] - want[i]);
    size += want[i] * want[i];
  }
  return std::sqrt(error / size);
}

TEST_F(Int8Test, Fp32ComputesWithTheDequantisedWeightsExactly) {
  const model_dir::ModelDir int8 = model_dir::ModelDir::open(temp / "int8");
  const model_dir::ModelDir fp32 = model_dir::ModelDir::open(temp / "fp32");
  EXPECT_EQ(encode(BertEncoder(int8, Precision::kFp32)), encode(BertEncoder(fp32)));
  EXPECT_EQ(denoise(Denoiser(int8, Precision::kFp32)), denoise(Denoiser(fp32)));
}

TEST_F(Int8Test, Int8IsCloseToFp32AndNotTheSame) {
  const model_dir::ModelDir dir = model_dir::ModelDir::open(temp / "int8");
  const std::vector<float> hidden = encode(BertEncoder(dir, Precision::kFp32));
  const double encoder_error = relative_error(encode(BertEncoder(dir)), hidden);
  EXPECT_LT(encoder_error, 0.03);
  EXPECT_GT(encoder_error, 1e-5);
  const std::vector<float> logits = denoise(Denoiser(dir, Precision::kFp32));
  const double denoiser_error = relative_error(denoise(Denoiser(dir)), logits);
  EXPECT_LT(denoiser_error, 0.03);
  EXPECT_GT(denoiser_error, 1e-5);
}

TEST_F(Int8Test, RowIsTheSameBitsInAnyBatch) {
  const Denoiser denoiser(model_dir::ModelDir::open(temp / "int8"));
  std::vector<std::uint8_t> states;
  std::vector<std::uint32_t> offsets = {0}, begins;
  for (std::uint32_t row = 0; row < 40; ++row) {
    for (std::uint32_t i = 0; i < row; ++i) {
      states.push_back(static_cast<std::uint8_t>((i * row + i / 3) % 4));
    }
    begins.push_back(row % 20);
    offsets.push_back(static_cast<std::uint32_t>(states.size()));
  }
  const std::vector<float> together = denoise(denoiser, offsets, begins, states);
  for (std::size_t row = 0; row < begins.size(); ++row) {
    const std::uint32_t length = offsets[row + 1] - offsets[row];
    const std::vector<float> alone = denoise(denoiser, {0, length}, {begins[row]},
                                             std::span(states).subspan(offsets[row], length));
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + offsets[row] * 4)) << row;
  }
}

// The encoder reads word embeddings from the mapped file for as long as it lives.
TEST_F(Int8Test, EncoderOutlivesTheDirectoryObject) {
  const auto encoder = [&] { return BertEncoder(model_dir::ModelDir::open(temp / "int8")); }();
  EXPECT_EQ(encode(encoder), encode(BertEncoder(model_dir::ModelDir::open(temp / "int8"))));
}

}  // namespace
}  // namespace diffie::model
