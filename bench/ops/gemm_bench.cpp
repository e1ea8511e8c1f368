// GEMM on the shapes of the encoders and denoisers, for every kernel table this machine runs.
//   ops_bench --benchmark_filter=avx2
// Beside the time: GFLOP/s and the share of the multiply-add peak measured at start.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "fma_peak.h"
#include "ops/gemm.h"

namespace {

using diffie::ops::CpuKernels;

struct Shape {
  std::size_t k, n;
};

// denoiser 512, denoiser 256, bert-base, MiniLM
constexpr Shape kShapes[] = {{512, 1536}, {512, 512}, {512, 2048}, {2048, 512},
                             {256, 768},  {256, 256}, {256, 1024}, {1024, 256},
                             {768, 2304}, {768, 768}, {768, 3072}, {3072, 768},
                             {384, 1152}, {384, 384}, {384, 1536}, {1536, 384}};

void run_gemm(benchmark::State& state, const CpuKernels& kernels, std::size_t m, Shape shape,
              double peak) {
  std::vector<float> a(m * shape.k), w(shape.n * shape.k), bias(shape.n), c(m * shape.n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 13) * 0.1f - 0.6f;
  const diffie::ops::PackedMatrix packed(w, shape.n, shape.k);
  for (auto _ : state) {
    diffie::ops::gemm(a, m, packed, bias, c, diffie::ops::Epilogue::kBias, {}, kernels);
    benchmark::ClobberMemory();
  }
  const double flops = 2.0 * static_cast<double>(m * shape.k * shape.n);
  const double done = flops * static_cast<double>(state.iterations());
  state.counters["GFLOP/s"] = benchmark::Counter(done / 1e9, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(done / 1e9 / peak, benchmark::Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const double peak = measure_fma_peak_gflops();
  benchmark::AddCustomContext("fma_peak_gflops", fmt::format("{:.1f}", peak));
  for (const CpuKernels* kernels : diffie::ops::runnable_kernels()) {
    if (kernels == &diffie::ops::kScalarKernels) continue;
    for (const std::size_t m : {32, 512, 4096}) {
      for (const Shape shape : kShapes) {
        benchmark::RegisterBenchmark(
            fmt::format("gemm/{}/M={}/K={}/N={}", kernels->name, m, shape.k, shape.n).c_str(),
            [=](benchmark::State& state) { run_gemm(state, *kernels, m, shape, peak); })
            ->MinTime(0.2);
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
