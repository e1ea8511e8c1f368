#pragma once

#include <gtest/gtest.h>

#include "cuda/cuda_backend.h"

// Where there is no GPU there is nothing to test.
#define NEED_GPU()                                                                          \
  do {                                                                                      \
    if (const std::string why = diffie::cuda::problem(); !why.empty()) GTEST_SKIP() << why; \
  } while (false)
