// Vec of the instruction set that the including source file is compiled for.
#pragma once

#if defined(__AVX512F__)
#include "ops/simd/vec512.h"
#else
#include "ops/simd/vec256.h"
#endif
