// Int8 kernels for 64-bit ARM with dot products (from ARMv8.2 on); compiled with that flag, called
// only where the machine has them.
#include "ops/cpu_kernels.h"
#include "ops/simd/int8_body.h"

namespace diffie::ops {

void gemm_int8_neon_dot(const Int8GemmCall& call) { gemm_int8(call); }

}  // namespace diffie::ops
