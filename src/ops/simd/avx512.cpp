// Kernels for AVX-512F; compiled with that flag, called only where the machine has it.
#include <immintrin.h>

#include <cstddef>

#include "ops/cpu_kernels.h"

namespace diffie::ops {
namespace {

// Sixteen floats. The kernel bodies below are written against these few operations.
struct Vec {
  __m512 lanes;
};

constexpr std::size_t kLanes = 16;
constexpr std::size_t kTileRows =
    12;  // 12 x 2 accumulators, 2 weights, 1 input: 27 of 32 registers

inline Vec zero() { return {_mm512_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm512_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm512_loadu_ps(from)}; }
inline void store(float* to, Vec x) { _mm512_storeu_ps(to, x.lanes); }
inline Vec add(Vec x, Vec y) { return {_mm512_add_ps(x.lanes, y.lanes)}; }
inline Vec sub(Vec x, Vec y) { return {_mm512_sub_ps(x.lanes, y.lanes)}; }
inline Vec mul(Vec x, Vec y) { return {_mm512_mul_ps(x.lanes, y.lanes)}; }
inline Vec div(Vec x, Vec y) { return {_mm512_div_ps(x.lanes, y.lanes)}; }
inline Vec min(Vec x, Vec y) { return {_mm512_min_ps(x.lanes, y.lanes)}; }
inline Vec max(Vec x, Vec y) { return {_mm512_max_ps(x.lanes, y.lanes)}; }
inline Vec fma(Vec x, Vec y, Vec z) { return {_mm512_fmadd_ps(x.lanes, y.lanes, z.lanes)}; }
inline Vec abs(Vec x) { return {_mm512_abs_ps(x.lanes)}; }
inline Vec round(Vec x) {
  return {_mm512_roundscale_ps(x.lanes, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

// x * 2^n for whole n in [-126, 127].
inline Vec scale_by_power(Vec x, Vec n) {
  const __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(n.lanes), _mm512_set1_epi32(127));
  return {_mm512_mul_ps(x.lanes, _mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23)))};
}

}  // namespace
}  // namespace diffie::ops

#include "ops/simd/attention_body.h"
#include "ops/simd/gemm_body.h"
#include "ops/simd/math_body.h"
#include "ops/simd/rows_body.h"

namespace diffie::ops {

const CpuKernels kAvx512Kernels = {
    .name = "avx512",
    .gemm = gemm,
    .layer_norm = layer_norm,
    .gelu = gelu,
    .attention = attention,
    .table_add = table_add,
};

}  // namespace diffie::ops
