// What each operation of the CUDA backend takes at the sizes of a model:
//   cuda_ops_bench MODEL [TOKENS]
// Rows of 36 tokens; bf16. Per operation microseconds, the median of 20 runs, and TFLOP/s or GB/s.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>

#include "cuda/convert.h"
#include "cuda/kernels.h"
#include "cuda/linear.h"
#include "model_dir/model_dir.h"

namespace {

using namespace diffie;
using namespace diffie::cuda;

constexpr std::size_t kLength = 36;

double median_us(const Stream& stream, const std::function<void()>& run) {
  cudaEvent_t begin = nullptr, end = nullptr;
  DIFFIE_CUDA_CHECK(cudaEventCreate(&begin));
  DIFFIE_CUDA_CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  constexpr int kInner = 10;
  for (int repeat = 0; repeat < 23; ++repeat) {
    DIFFIE_CUDA_CHECK(cudaEventRecord(begin, stream.get()));
    for (int i = 0; i < kInner; ++i) run();
    DIFFIE_CUDA_CHECK(cudaEventRecord(end, stream.get()));
    DIFFIE_CUDA_CHECK(cudaEventSynchronize(end));
    float ms = 0;
    DIFFIE_CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (repeat >= 3) times.push_back(ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return 1e3 * times[10] / kInner;
}

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

struct Bench {
  Stream stream;
  Handle handle = make_handle();
  std::size_t tokens = 0;

  void product(const char* name, std::size_t n, std::size_t k, Activation activation) {
    const Linear<Bf16> linear(handle.get(), random_floats(n * k), random_floats(n), activation);
    const auto x = upload<Bf16>(random_floats(tokens * k));
    DeviceArray<Bf16> y;
    y.room(tokens * n);
    const double us =
        median_us(stream, [&] { linear.apply(x.data(), tokens, y.data(), stream.get()); });
    const double flop = 2.0 * static_cast<double>(tokens * n * k);
    fmt::print("{:<28} {:5} x {:<5} {:9.1f} us {:7.0f} TFLOP/s\n", name, n, k, us,
               flop / us * 1e-6);
  }

  void attend(const char* name, std::size_t heads, std::size_t head_dim) {
    const std::size_t rows = tokens / kLength, width = heads * head_dim;
    std::vector<std::uint32_t> offsets(rows + 1);
    for (std::size_t row = 0; row <= rows; ++row)
      offsets[row] = static_cast<std::uint32_t>(row * kLength);
    const auto device_offsets = to_device<std::uint32_t>(offsets);
    const auto qkv = upload<Bf16>(random_floats(tokens * 3 * width));
    DeviceArray<Bf16> out;
    out.room(tokens * width);
    const double us = median_us(stream, [&] {
      attention(qkv.data(), device_offsets.data(), rows, heads, head_dim, out.data(), stream.get());
    });
    const double flop = 4.0 * static_cast<double>(rows * kLength * kLength * width);
    fmt::print("{:<28} {:5} x {:<5} {:9.1f} us {:7.2f} TFLOP/s\n", name, heads, head_dim, us,
               flop / us * 1e-6);
  }

  void norm(const char* name, std::size_t columns) {
    const auto x = upload<Bf16>(random_floats(tokens * columns));
    const auto gamma = to_device<float>(random_floats(columns));
    DeviceArray<Bf16> y;
    y.room(tokens * columns);
    const NormWeights weights{gamma.data(), gamma.data(), columns, 1e-5f};
    const double us = median_us(stream, [&] {
      layer_norm<Bf16>(x.data(), nullptr, weights, tokens, y.data(), stream.get());
    });
    fmt::print("{:<28} {:5}         {:9.1f} us {:7.0f} GB/s\n", name, columns, us,
               4.0 * static_cast<double>(tokens * columns) / us * 1e-3);
  }
};

void run(const model_dir::ModelConfig& config, std::size_t tokens) {
  Bench bench;
  bench.tokens = tokens / kLength * kLength;
  const auto d = static_cast<std::size_t>(config.encoder.hidden);
  const auto middle = static_cast<std::size_t>(config.encoder.intermediate);
  const auto heads = static_cast<std::size_t>(config.encoder.heads);
  fmt::print("{}, {} tokens\n", config.name, bench.tokens);
  bench.product("encoder qkv", 3 * d, d, Activation::kNone);
  bench.product("encoder attention output", d, d, Activation::kNone);
  bench.product("encoder intermediate, gelu", middle, d, Activation::kGelu);
  bench.product("encoder output", d, middle, Activation::kNone);
  bench.attend("encoder attention", heads, d / heads);
  bench.norm("encoder norm", d);
  const auto e = static_cast<std::size_t>(config.denoiser.hidden);
  const auto row_heads = static_cast<std::size_t>(config.denoiser.heads);
  bench.product("denoiser qkv", 3 * e, e, Activation::kNone);
  bench.product("denoiser out", e, e, Activation::kNone);
  bench.product("denoiser up, gelu", 4 * e, e, Activation::kGelu);
  bench.product("denoiser down", e, 4 * e, Activation::kNone);
  bench.attend("denoiser attention", row_heads, e / row_heads);
  bench.norm("denoiser norm", e);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "cuda_ops_bench MODEL [TOKENS]\n");
    return 2;
  }
  run(model_dir::ModelDir::open(argv[1]).config(),
      argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 9216);
  return 0;
}
