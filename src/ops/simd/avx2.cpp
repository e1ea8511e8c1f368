// Kernels for AVX2 and FMA; compiled with those flags, called only where the machine has them.
#include "ops/cpu_kernels.h"
#include "ops/simd/attention_body.h"
#include "ops/simd/gemm_body.h"
#include "ops/simd/int8_body.h"
#include "ops/simd/rows_body.h"

namespace diffie::ops {

void gemm_int8_avx2(const Int8GemmCall& call) { gemm_int8(call); }

const CpuKernels kAvx2Kernels = {
    .name = "avx2",
    .gemm = gemm,
    .layer_norm = layer_norm,
    .gelu = gelu,
    .attention = attention,
    .table_add = table_add,
    .quantize = quantize,
    .gemm_int8 = gemm_int8,
};

}  // namespace diffie::ops
