// Int8 kernels for AVX-VNNI, which processors without AVX-512 have; compiled with that flag, called
// only where the machine has it.
#include "ops/cpu_kernels.h"
#include "ops/simd/int8_body.h"

namespace diffie::ops {

void gemm_int8_avx_vnni(const Int8GemmCall& call) { gemm_int8(call); }

}  // namespace diffie::ops
