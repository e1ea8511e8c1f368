#pragma once

#include <gtest/gtest.h>

#include "cuda/cuda_backend.h"
#include "cuda/device.h"

// Where there is no GPU there is nothing to test.
#define NEED_GPU()                                                                          \
  do {                                                                                      \
    if (const std::string why = diffie::cuda::problem(); !why.empty()) GTEST_SKIP() << why; \
  } while (false)

// A condition on capability(), of the first GPU and of the code that it runs.
#define NEED_CAPABILITY(wanted)                                                               \
  do {                                                                                        \
    NEED_GPU();                                                                               \
    const diffie::cuda::Capability found = diffie::cuda::capability();                        \
    if (!found.wanted)                                                                        \
      GTEST_SKIP() << "compute capability " << found.of_gpu << ", code for " << found.of_code \
                   << ": no " #wanted;                                                        \
  } while (false)
