// A roofline of the CPU kernels on the shapes of the encoders and denoisers, one thread: what each
// reaches, what the machine allows, and the share.
//   ops_bench [scalar|avx2|avx512|avx512vnni|amx ...]     (default: every table this machine runs
//   but scalar)
// GEMMs are measured against the machine's multiply-add peaks, the others against the bandwidth of
// the cache level that holds their operands.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "ops/attention.h"
#include "ops/gelu.h"
#include "ops/gemm.h"
#include "ops/gemm_int8.h"
#include "ops/layer_norm.h"
#include "peaks.h"
#include "timing.h"

namespace {

using namespace diffie;
using bench::best_seconds;
using ops::CpuKernels;

struct Shape {
  std::size_t k, n;
};

// MiniLM, denoiser 256, denoiser 512, bert-base
constexpr Shape kShapes[] = {{384, 1152}, {384, 384}, {384, 1536}, {1536, 384},
                             {256, 768},  {256, 256}, {256, 1024}, {1024, 256},
                             {512, 1536}, {512, 512}, {512, 2048}, {2048, 512},
                             {768, 2304}, {768, 768}, {768, 3072}, {3072, 768}};
// The denoiser of models/small.
constexpr Shape kNarrowShapes[] = {{64, 192}, {64, 64}, {64, 256}, {256, 64}};
// Up to what the denoiser (128) and the encoder (512) take at a time.
constexpr std::size_t kRows[] = {32, 128, 512};
// A noisy machine is slow for seconds on end, so everything is measured in several sweeps.
constexpr int kSweeps = 5;

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

std::vector<std::int8_t> random_weights(std::size_t count) {
  std::mt19937 generator(2);
  std::normal_distribution<float> normal(0, 36);  // as trained: the largest of a row is 127
  std::vector<std::int8_t> values(count);
  for (std::int8_t& value : values) {
    value = static_cast<std::int8_t>(std::clamp(normal(generator), -127.0f, 127.0f));
  }
  return values;
}

// One product in both precisions on the same inputs.
class GemmPair {
 public:
  GemmPair(const CpuKernels& kernels, std::size_t m, Shape shape)
      : kernels_(kernels),
        m_(m),
        a_(random_floats(m * shape.k)),
        bias_(shape.n),
        c_(m * shape.n),
        fp32_(random_floats(shape.n * shape.k), shape.n, shape.k),
        int8_(random_weights(shape.n * shape.k), std::vector<float>(shape.n, 0.01f), shape.n,
              shape.k, kernels.int8_order),
        scratch_(ops::gemm_int8_scratch(int8_)) {}

  void fp32() { ops::gemm(a_, m_, fp32_, bias_, c_, ops::Epilogue::kBias, {}, kernels_); }
  void int8() {
    ops::gemm_int8(a_, m_, int8_, bias_, c_, ops::Epilogue::kBias, {}, scratch_, kernels_);
  }

 private:
  const CpuKernels& kernels_;
  std::size_t m_;
  std::vector<float> a_, bias_, c_;
  ops::PackedMatrix fp32_;
  ops::PackedInt8 int8_;
  std::vector<float> scratch_;
};

struct Peaks {
  const bench::Peak& fp32;
  const bench::Peak& int8;
};

Peaks peaks_of(std::string_view kernels) {
  if (kernels == "amx") return {bench::kFma512Peak, bench::kAmxPeak};
  if (kernels == "avx512vnni") return {bench::kFma512Peak, bench::kVnniPeak};
  if (kernels == "avx512") return {bench::kFma512Peak, bench::kPair16Peak};
  return {bench::kFmaPeak, bench::kPair16Peak};
}

struct GemmTime {
  std::size_t m;
  Shape shape;
  double fp32_s = 1e30;
  double int8_s = 1e30;

  double giga_operations() const { return 2e-9 * static_cast<double>(m * shape.k * shape.n); }

  void measure(const CpuKernels& kernels) {
    GemmPair pair(kernels, m, shape);
    fp32_s = std::min(fp32_s, best_seconds([&] { pair.fp32(); }));
    int8_s = std::min(int8_s, best_seconds([&] { pair.int8(); }));
  }
};

struct PeakTime {
  const bench::Peak& peak;
  double seconds = 1e30;

  void measure() { seconds = std::min(seconds, best_seconds(peak.loop)); }
  double giga_per_second() const { return peak.operations / seconds / 1e9; }
};

void print_gemm(const GemmTime& time, double fp32_peak, double int8_peak) {
  const double fp32 = time.giga_operations() / time.fp32_s;
  const double int8 = time.giga_operations() / time.int8_s;
  fmt::print("| {} x {} | {} | {:.0f} | {:.0f} % | {:.0f} | {:.0f} % | {:.2f} |\n", time.shape.k,
             time.shape.n, time.m, fp32, 100 * fp32 / fp32_peak, int8, 100 * int8 / int8_peak,
             int8 / fp32);
}

void print_gemms(const CpuKernels& kernels, const Peaks& peaks, std::string_view title,
                 std::span<const Shape> shapes) {
  PeakTime fp32_peak{peaks.fp32}, int8_peak{peaks.int8};
  std::vector<GemmTime> times;
  for (const Shape shape : shapes) {
    for (const std::size_t m : kRows) times.push_back({m, shape});
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    fp32_peak.measure();
    int8_peak.measure();
    for (GemmTime& time : times) time.measure(kernels);
  }
  fmt::print("\n### {}, {}: share of the peak {:.0f} GFLOP/s (fp32), {:.0f} GOP/s (int8)\n\n",
             title, kernels.name, fp32_peak.giga_per_second(), int8_peak.giga_per_second());
  fmt::print("| K x N | M | fp32 GFLOP/s | share | int8 GOP/s | share | int8 : fp32 |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const GemmTime& time : times) {
    print_gemm(time, fp32_peak.giga_per_second(), int8_peak.giga_per_second());
  }
}

void print_stream(std::string_view name, double bytes, double seconds, double limit) {
  const double reached = bytes / seconds / 1e9;
  fmt::print("| {} | {:.1f} us | {:.0f} GB/s | {:.0f} GB/s | {:.0f} % |\n", name, seconds * 1e6,
             reached, limit, 100 * reached / limit);
}

// 256 tokens of 256 values, as the denoiser has them between its products.
void print_streams(const CpuKernels& kernels) {
  constexpr std::size_t kTokens = 256, kWidth = 256, kCount = kTokens * kWidth;
  const std::vector<float> x = random_floats(kCount), gamma(kWidth, 1), beta(kWidth);
  std::vector<float> y(kCount), scale(kTokens), offset(kTokens);
  std::vector<std::uint8_t> q(kCount);
  const double limit = bench::stream_bandwidth(kCount * sizeof(float));
  const double bytes = kCount * sizeof(float);
  fmt::print("\n### Passes over 256 tokens x 256 values, {}\n\n", kernels.name);
  fmt::print("| kernel | time | reached | limit | share |\n|---|---|---|---|---|\n");
  print_stream("layer norm", 2 * bytes, best_seconds([&] {
                 ops::layer_norm(x, kTokens, {gamma, beta, 1e-5f}, y, kernels);
               }),
               limit);
  print_stream("GELU", 2 * bytes, best_seconds([&] { ops::gelu(x, y, kernels); }), limit);
  print_stream("quantise", 1.25 * bytes, best_seconds([&] {
                 kernels.quantize(
                     {x.data(), q.data(), scale.data(), offset.data(), kTokens, kWidth, kWidth});
               }),
               limit);
}

// Rows of `length` tokens, 8 heads of 32: products of queries and keys and of weights and values.
void print_attention(const CpuKernels& kernels, const bench::Peak& loop) {
  PeakTime fma{loop};
  fma.measure();
  const double peak = fma.giga_per_second();
  fmt::print("\n### Attention, 8 heads of 32, {}\n\n", kernels.name);
  fmt::print("| tokens per row | us per token | GFLOP/s | peak | share |\n|---|---|---|---|---|\n");
  for (const std::uint32_t length : {8, 16, 24, 32, 48, 64, 128, 512}) {
    constexpr std::size_t kHeads = 8, kHeadDim = 32;
    const std::uint32_t rows = std::max(1U, 256 / length);
    std::vector<std::uint32_t> offsets(rows + 1);
    for (std::uint32_t row = 0; row <= rows; ++row) offsets[row] = row * length;
    const std::size_t tokens = offsets.back();
    const std::vector<float> qkv = random_floats(tokens * 3 * kHeads * kHeadDim);
    std::vector<float> out(tokens * kHeads * kHeadDim);
    std::vector<float> scratch(ops::attention_scratch(length, kHeadDim));
    const double seconds = best_seconds(
        [&] { ops::attention(qkv, offsets, kHeads, kHeadDim, out, scratch, kernels); });
    const double flops = 4.0 * static_cast<double>(tokens) * length * kHeads * kHeadDim;
    fmt::print("| {} | {:.2f} | {:.0f} | {:.0f} | {:.0f} % |\n", length,
               1e6 * seconds / static_cast<double>(tokens), flops / seconds / 1e9, peak,
               100 * flops / seconds / 1e9 / peak);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> wanted(argv + 1, argv + argc);
  for (const CpuKernels* kernels : ops::runnable_kernels()) {
    const bool named = std::find(wanted.begin(), wanted.end(), kernels->name) != wanted.end();
    if (wanted.empty() ? kernels == &ops::kScalarKernels : !named) continue;
    const Peaks peaks = peaks_of(kernels->name);
    print_gemms(*kernels, peaks, "GEMM", kShapes);
    print_gemms(*kernels, peaks, "Narrow GEMM", kNarrowShapes);
    print_streams(*kernels);
    print_attention(*kernels, peaks.fp32);
  }
}
