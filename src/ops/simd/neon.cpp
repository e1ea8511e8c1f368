// Kernels for 64-bit ARM, every one of which has NEON.
#include "ops/cpu_kernels.h"
#include "ops/simd/attention_body.h"
#include "ops/simd/gemm_body.h"
#include "ops/simd/int8_body.h"
#include "ops/simd/rows_body.h"

namespace diffie::ops {

const CpuKernels kNeonKernels = {
    .name = "neon",
    .gemm = gemm,
    .layer_norm = layer_norm,
    .gelu = gelu,
    .attention = attention,
    .table_add = table_add,
    .quantize = quantize,
    .gemm_int8 = gemm_int8,
    .int8_order = InputOrder::kNatural,
};

}  // namespace diffie::ops
