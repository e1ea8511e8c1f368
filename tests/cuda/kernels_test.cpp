// Kernels against the CPU's scalar reference, at awkward sizes, in fp32, bf16 and fp16.
#include "cuda/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cuda/convert.h"
#include "cuda/finite.h"
#include "cuda/linear.h"
#include "expect_error.h"
#include "need_gpu.h"
#include "ops/attention.h"
#include "ops/gemm.h"
#include "ops/layer_norm.h"
#include "ops/samples.h"

namespace diffie::cuda {
namespace {

using ops::random_floats;

template <typename T>
class Kernels : public testing::Test {
 protected:
  void SetUp() override {
    NEED_GPU();
    if (std::is_same_v<T, Bf16>) NEED_CAPABILITY(has_bf16());
  }

  // Of values around 1 that were rounded a few times on the way.
  static constexpr float kBound = std::is_same_v<T, float>  ? 1e-5f
                                  : std::is_same_v<T, Half> ? 5e-3f
                                                            : 4e-2f;

  // What the GPU sees of these values.
  static std::vector<float> rounded(std::vector<float> values) {
    if constexpr (!std::is_same_v<T, float>) {
      for (float& value : values) value = static_cast<float>(T(value));
    }
    return values;
  }

  static std::vector<float> fetch(const DeviceArray<T>& array, std::size_t count) {
    std::vector<T> values(count);
    DIFFIE_CUDA_CHECK(cudaDeviceSynchronize());
    DIFFIE_CUDA_CHECK(
        cudaMemcpy(values.data(), array.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
    std::vector<float> floats;
    for (const T& value : values) floats.push_back(static_cast<float>(value));
    return floats;
  }

  // Room whose every byte is 0xff: not a number.
  static DeviceArray<T> poisoned(std::size_t count) {
    DeviceArray<T> array;
    DIFFIE_CUDA_CHECK(cudaMemset(array.room(count), 0xff, count * sizeof(T)));
    return array;
  }

  static void expect_near(const std::vector<float>& found, const std::vector<float>& want,
                          float bound, std::size_t size) {
    ASSERT_EQ(found.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_NEAR(found[i], want[i], bound * std::max(1.0f, std::abs(want[i])))
          << "size=" << size << " at " << i;
    }
  }
};

using Types = testing::Types<float, Bf16, Half>;
TYPED_TEST_SUITE(Kernels, Types);

TYPED_TEST(Kernels, LayerNormAgreesWithTheReference) {
  for (const std::size_t columns : {8, 16, 56, 64, 72, 248, 256, 264, 384, 768, 1016, 1024}) {
    const std::size_t tokens = 13;
    std::vector<float> x = random_floats(tokens * columns, 1, 3);
    for (float& value : x) value += 2;
    x = TestFixture::rounded(x);
    const auto residual = TestFixture::rounded(random_floats(tokens * columns, 2));
    const auto gamma = random_floats(columns, 3), beta = random_floats(columns, 4);
    const auto device_gamma = to_device<float>(gamma), device_beta = to_device<float>(beta);
    const NormWeights norm{device_gamma.data(), device_beta.data(), columns, 1e-5f};
    const auto device_x = upload<TypeParam>(x), device_residual = upload<TypeParam>(residual);
    for (const bool add : {false, true}) {
      std::vector<float> want(x.size());
      if (add) {
        ops::add_layer_norm(x, residual, tokens, {gamma, beta, 1e-5f}, want, ops::kScalarKernels);
      } else {
        ops::layer_norm(x, tokens, {gamma, beta, 1e-5f}, want, ops::kScalarKernels);
      }
      DeviceArray<TypeParam> y = TestFixture::poisoned(x.size());
      layer_norm(device_x.data(), add ? device_residual.data() : nullptr, norm, tokens, y.data(),
                 nullptr);
      TestFixture::expect_near(TestFixture::fetch(y, x.size()), want, TestFixture::kBound, columns);
    }
  }
}

TYPED_TEST(Kernels, AttentionAgreesWithTheReference) {
  const std::vector<std::uint32_t> offsets = {3, 4, 4, 11, 43, 106, 170, 235, 747};
  const std::size_t tokens = offsets.back() - offsets.front();
  const auto device_offsets = to_device<std::uint32_t>(offsets);
  const AttentionRows rows{device_offsets.data(), offsets.size() - 1, 512};
  for (const std::size_t head_dim : {4, 16, 24, 32, 64}) {
    const std::size_t heads = 3, width = heads * head_dim;
    const auto qkv = TestFixture::rounded(random_floats(tokens * 3 * width, 5, 2));
    std::vector<float> want(tokens * width);
    std::vector<float> scratch(ops::attention_scratch(512, head_dim));
    ops::attention(qkv, offsets, heads, head_dim, want, scratch, ops::kScalarKernels);
    const auto device_qkv = upload<TypeParam>(qkv);
    DeviceArray<TypeParam> out = TestFixture::poisoned(want.size());
    attention(device_qkv.data(), nullptr, rows, heads, head_dim, out.data(), nullptr);
    TestFixture::expect_near(TestFixture::fetch(out, want.size()), want, TestFixture::kBound,
                             head_dim);
  }
}

TYPED_TEST(Kernels, LinearAgreesWithTheReference) {
  const Handle handle = make_handle();
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{8, 8},
                             {64, 256},
                             {192, 64},
                             {384, 512},
                             {1152, 384},
                             {768, 1536}}) {
    const auto weight = TestFixture::rounded(random_floats(n * k, 6, 0.1f));
    const auto bias = TestFixture::rounded(random_floats(n, 7));
    const ops::PackedMatrix packed(weight, n, k);
    for (const std::size_t rows : {1, 7, 65, 300}) {
      const auto x = TestFixture::rounded(random_floats(rows * k, 8));
      const auto residual = TestFixture::rounded(random_floats(rows * n, 9));
      const auto device_x = upload<TypeParam>(x), device_residual = upload<TypeParam>(residual);
      std::vector<float> want(rows * n);
      DeviceArray<TypeParam> y = TestFixture::poisoned(want.size());
      const Linear<TypeParam> plain(handle.get(), weight, bias);
      ops::gemm(x, rows, packed, bias, want, ops::Epilogue::kBiasResidual, residual,
                ops::kScalarKernels);
      plain.apply(device_x.data(), rows, y.data(), nullptr, device_residual.data());
      TestFixture::expect_near(TestFixture::fetch(y, want.size()), want, TestFixture::kBound, n);
      const Linear<TypeParam> gelu(handle.get(), weight, bias, Activation::kGelu);
      ops::gemm(x, rows, packed, bias, want, ops::Epilogue::kBiasGelu, {}, ops::kScalarKernels);
      gelu.apply(device_x.data(), rows, y.data(), nullptr);
      TestFixture::expect_near(TestFixture::fetch(y, want.size()), want, TestFixture::kBound, n);
    }
  }
}

TYPED_TEST(Kernels, ARowOfAProductIsTheSameBitsInAnyBatch) {
  const Handle handle = make_handle();
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{64, 64},
                             {1152, 384},
                             {512, 384},
                             {384, 512},
                             {2304, 768},
                             {768, 1536},
                             {256, 1024}}) {
    const std::size_t most = 5000;
    const auto x = upload<TypeParam>(random_floats(most * k, 8));
    const Linear<TypeParam> linear(handle.get(), random_floats(n * k, 6, 0.1f),
                                   random_floats(n, 7));
    DeviceArray<TypeParam> y;
    linear.apply(x.data(), most, y.room(most * n), nullptr);
    const std::vector<float> want = TestFixture::fetch(y, most * n);
    for (const std::size_t rows : {1, 36, 129, 1000}) {
      for (const std::size_t first : {std::size_t{0}, std::size_t{77}, most - rows}) {
        linear.apply(x.data() + first * k, rows, y.data(), nullptr);
        const std::vector<float> found = TestFixture::fetch(y, rows * n);
        const auto begin = want.begin() + static_cast<std::ptrdiff_t>(first * n);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), begin))
            << n << " x " << k << ", rows=" << rows << " from " << first;
      }
    }
  }
}

// Every token's queries, keys and values looked up by context token and state, and laid out.
template <typename T>
class AttentionByState : public testing::Test {};
using NarrowTypes = testing::Types<Bf16, Half>;
TYPED_TEST_SUITE(AttentionByState, NarrowTypes);

TYPED_TEST(AttentionByState, IsTheSameBits) {
  using T = TypeParam;
  NEED_GPU();
  if (std::is_same_v<T, Bf16>) NEED_CAPABILITY(has_bf16());
  constexpr std::size_t kStates = 5, kContext = 90;
  const std::vector<std::uint32_t> offsets = {0, 30, 31, 121, 186};
  std::vector<std::uint32_t> context_token;
  std::vector<std::uint8_t> states;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    for (std::uint32_t i = 0; i < offsets[row + 1] - offsets[row]; ++i) {
      context_token.push_back(i);
      states.push_back(static_cast<std::uint8_t>((i * i + row) % kStates));
    }
  }
  const auto device_offsets = to_device<std::uint32_t>(offsets);
  const auto device_tokens = to_device<std::uint32_t>(context_token);
  const auto device_states = to_device<std::uint8_t>(states);
  const AttentionRows rows{device_offsets.data(), offsets.size() - 1, 90};
  for (const std::size_t head_dim : {16, 32, 64}) {
    const std::size_t heads = 3, width = 3 * heads * head_dim;
    const auto table = random_floats(kContext * kStates * width, 5, 2);
    std::vector<float> laid_out;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto from = table.begin() + static_cast<std::ptrdiff_t>(
                                            (context_token[i] * kStates + states[i]) * width);
      laid_out.insert(laid_out.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    const auto device_table = upload<T>(table), device_qkv = upload<T>(laid_out);
    const std::size_t count = states.size() * heads * head_dim;
    const auto attend = [&](const T* qkv, const QkvOfStates* by_state) {
      DeviceArray<T> out;
      DIFFIE_CUDA_CHECK(cudaMemset(out.room(count), 0xff, count * sizeof(T)));
      attention(qkv, by_state, rows, heads, head_dim, out.data(), nullptr);
      std::vector<T> values(count);
      DIFFIE_CUDA_CHECK(cudaDeviceSynchronize());
      DIFFIE_CUDA_CHECK(
          cudaMemcpy(values.data(), out.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
      return std::vector<float>(values.begin(), values.end());
    };
    const QkvOfStates by_state{device_tokens.data(), device_states.data(), kStates};
    EXPECT_EQ(attend(device_table.data(), &by_state), attend(device_qkv.data(), nullptr))
        << head_dim;
  }
}

TEST(Upload, RefusesWhatFp16CannotHold) {
  const std::vector<float> values = {1, -70000};
  EXPECT_ERROR(upload<Half>(values), ErrorCode::kUnsupported, "a weight of -70000");
}

TEST(Answers, BeyondFp16AreRefused) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> good = {1, -70000}, infinite = {1, inf}, none = {0, inf - inf};
  EXPECT_NO_THROW(check_finite<Half>(good));
  EXPECT_ERROR(check_finite<Half>(infinite), ErrorCode::kUnsupported, "beyond fp16");
  EXPECT_ERROR(check_finite<Half>(none), ErrorCode::kUnsupported, "beyond fp16");
  EXPECT_NO_THROW(check_finite<Bf16>(infinite));
}

// Eight bits in, and out too: against the product of what they round to, and the same bits in any
// batch.
template <typename Out>
void expect_fp8_products(Activation activation, double bound) {
  const Handle handle = make_handle();
  const auto rounded = [](std::vector<float> values) {
    for (float& value : values) value = static_cast<float>(Fp8(value));
    return values;
  };
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{64, 256},
                             {1536, 512},
                             {512, 512},
                             {2048, 512},
                             {512, 2048}}) {
    constexpr std::size_t kRows = 1000;
    // Weights that the scale, a power of two, moves without another rounding.
    std::vector<float> weight = rounded(random_floats(n * k, 6, 1.0f));
    weight[0] = 3.5f;
    for (float& value : weight) value = std::clamp(value, -3.5f, 3.5f) / 64;
    const auto bias = random_floats(n, 7), x = rounded(random_floats(kRows * k, 8));
    DeviceArray<Fp8> device_x;
    device_x.room(Linear<Fp8>::room(kRows) * k);
    DIFFIE_CUDA_CHECK(cudaMemset(device_x.data(), 0x7f, Linear<Fp8>::room(kRows) * k));  // NaN
    const std::vector<Fp8> values(x.begin(), x.end());
    DIFFIE_CUDA_CHECK(
        cudaMemcpy(device_x.data(), values.data(), values.size(), cudaMemcpyHostToDevice));
    std::vector<float> want(kRows * n);
    ops::gemm(x, kRows, ops::PackedMatrix(weight, n, k), bias, want,
              activation == Activation::kGelu ? ops::Epilogue::kBiasGelu : ops::Epilogue::kBias, {},
              ops::kScalarKernels);
    const Linear<Fp8, Out> linear(handle.get(), weight, bias, activation);
    const auto apply = [&](std::size_t first, std::size_t rows) {
      DeviceArray<Out> y;
      linear.apply(device_x.data() + first * k, rows, y.room(Linear<Fp8>::room(rows) * n), nullptr);
      std::vector<Out> found(rows * n);
      DIFFIE_CUDA_CHECK(cudaDeviceSynchronize());
      DIFFIE_CUDA_CHECK(
          cudaMemcpy(found.data(), y.data(), rows * n * sizeof(Out), cudaMemcpyDeviceToHost));
      std::vector<float> floats;
      for (const Out& value : found) floats.push_back(static_cast<float>(value));
      return floats;
    };
    const std::vector<float> all = apply(0, kRows);
    double squares = 0, size = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      squares += std::pow(all[i] - want[i], 2);
      size += std::pow(want[i], 2);
    }
    EXPECT_LT(std::sqrt(squares / size), bound) << n << " x " << k;
    for (const auto& [first, rows] :
         {std::pair<std::size_t, std::size_t>{0, 1}, {77, 36}, {128, 703}, {871, 129}}) {
      const std::vector<float> some = apply(first, rows);
      ASSERT_TRUE(std::equal(some.begin(), some.end(),
                             all.begin() + static_cast<std::ptrdiff_t>(first * n)))
          << n << " x " << k << ", rows=" << rows;
    }
  }
}

TEST(Fp8Products, AgreeWithTheReference) {
  NEED_CAPABILITY(has_fp8());
  expect_fp8_products<Bf16>(Activation::kNone, 4e-3);
}

TEST(Fp8Products, AgreeWhereTheyGoOnInEightBits) {
  NEED_CAPABILITY(has_fp8());
  expect_fp8_products<Fp8>(Activation::kGelu, 4e-2);
}

TYPED_TEST(Kernels, OddLayersAreRefused) {
  const Handle handle = make_handle();
  const std::vector<float> weight(12 * 8), bias(12);
  EXPECT_ERROR(Linear<TypeParam>(handle.get(), weight, bias), ErrorCode::kUnsupported,
               "a layer of 12 x 8");
}

}  // namespace
}  // namespace diffie::cuda
