// Kernels for AVX2 and FMA; compiled with those flags, called only where the machine has them.
#include <immintrin.h>

#include <cstddef>

#include "ops/cpu_kernels.h"

namespace diffie::ops {
namespace {

// Eight floats. The kernel bodies below are written against these few operations.
struct Vec {
  __m256 lanes;
};

constexpr std::size_t kLanes = 8;
constexpr std::size_t kTileRows = 6;  // 6 x 2 accumulators, 2 weights, 1 input: 15 of 16 registers

inline Vec zero() { return {_mm256_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm256_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm256_loadu_ps(from)}; }
inline void store(float* to, Vec x) { _mm256_storeu_ps(to, x.lanes); }
inline Vec add(Vec x, Vec y) { return {_mm256_add_ps(x.lanes, y.lanes)}; }
inline Vec sub(Vec x, Vec y) { return {_mm256_sub_ps(x.lanes, y.lanes)}; }
inline Vec mul(Vec x, Vec y) { return {_mm256_mul_ps(x.lanes, y.lanes)}; }
inline Vec div(Vec x, Vec y) { return {_mm256_div_ps(x.lanes, y.lanes)}; }
inline Vec min(Vec x, Vec y) { return {_mm256_min_ps(x.lanes, y.lanes)}; }
inline Vec max(Vec x, Vec y) { return {_mm256_max_ps(x.lanes, y.lanes)}; }
inline Vec fma(Vec x, Vec y, Vec z) { return {_mm256_fmadd_ps(x.lanes, y.lanes, z.lanes)}; }
inline Vec abs(Vec x) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), x.lanes)}; }
inline Vec round(Vec x) {
  return {_mm256_round_ps(x.lanes, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

// x * 2^n for whole n in [-126, 127].
inline Vec scale_by_power(Vec x, Vec n) {
  const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n.lanes), _mm256_set1_epi32(127));
  return {_mm256_mul_ps(x.lanes, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)))};
}

}  // namespace
}  // namespace diffie::ops

#include "ops/simd/attention_body.h"
#include "ops/simd/gemm_body.h"
#include "ops/simd/math_body.h"
#include "ops/simd/rows_body.h"

namespace diffie::ops {

const CpuKernels kAvx2Kernels = {
    .name = "avx2",
    .gemm = gemm,
    .layer_norm = layer_norm,
    .gelu = gelu,
    .attention = attention,
    .table_add = table_add,
};

}  // namespace diffie::ops
