// The int8 kernel of AVX-VNNI in the instructions of AVX-512 with VNNI: machines with the one
// seldom have the other.
#define DIFFIE_INT8_DOT256
#include "int8_dot256_twin.h"

#include "ops/simd/int8_body.h"

namespace diffie::ops {

void gemm_int8_dot256_twin(const Int8GemmCall& call) { gemm_int8(call); }

}  // namespace diffie::ops
