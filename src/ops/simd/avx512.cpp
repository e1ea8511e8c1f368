// Kernels for AVX-512F; compiled with that flag, called only where the machine has it.
#include "ops/cpu_kernels.h"
#include "ops/simd/attention_body.h"
#include "ops/simd/gemm_body.h"
#include "ops/simd/rows_body.h"

namespace diffie::ops {

const CpuKernels kAvx512Kernels = {
    .name = "avx512",
    .gemm = gemm,
    .layer_norm = layer_norm,
    .gelu = gelu,
    .attention = attention,
    .table_add = table_add,
    .quantize = quantize,
    .gemm_int8 = gemm_int8_avx2,
};

}  // namespace diffie::ops
