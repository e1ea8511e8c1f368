// Vec of the instruction set that the including source file is compiled for.
#pragma once

#if defined(__aarch64__)
#include "ops/simd/vec_neon.h"
#elif defined(__AVX512F__) && !defined(DIFFIE_INT8_DOT256)
#include "ops/simd/vec512.h"
#else
#include "ops/simd/vec256.h"
#endif
