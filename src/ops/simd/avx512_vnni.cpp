// Int8 kernels for AVX-512 with VNNI; compiled with those flags, called only where the machine has
// them.
#include "ops/cpu_kernels.h"
#include "ops/simd/int8_body.h"

namespace diffie::ops {

void gemm_int8_avx512_vnni(const Int8GemmCall& call) { gemm_int8(call); }

}  // namespace diffie::ops
