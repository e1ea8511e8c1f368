#pragma once

#include "ops/cpu_kernels.h"

namespace diffie::ops {

void gemm_int8_dot256_twin(const Int8GemmCall& call);

}  // namespace diffie::ops
