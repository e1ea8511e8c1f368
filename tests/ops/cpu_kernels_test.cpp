#include "ops/cpu_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "expect_error.h"

namespace diffie::ops {
namespace {

TEST(CpuKernels, ListsScalarFirst) {
  ASSERT_FALSE(runnable_kernels().empty());
  EXPECT_EQ(runnable_kernels().front(), &kScalarKernels);
}

// ctest runs this one under several values of DIFFIE_CPU_ISA.
TEST(CpuKernels, ObeysTheEnvironment) {
  const char* value = std::getenv("DIFFIE_CPU_ISA");
  if (value == nullptr) {
    EXPECT_EQ(&cpu_kernels(), runnable_kernels().back());
    return;
  }
  const std::string_view wanted = value;
  const auto runnable = runnable_kernels();
  if (std::any_of(runnable.begin(), runnable.end(),
                  [&](const CpuKernels* table) { return wanted == table->name; })) {
    EXPECT_EQ(cpu_kernels().name, wanted);
  } else if (wanted.starts_with("avx") || wanted == "amx" || wanted.starts_with("neon")) {
    EXPECT_ERROR(cpu_kernels(), ErrorCode::kUnsupported, "DIFFIE_CPU_ISA");
  } else {
    EXPECT_ERROR(cpu_kernels(), ErrorCode::kInvalidArgument,
                 "wanted scalar, avx2, avxvnni, avx512, avx512vnni, amx, neon, neondot");
  }
}

}  // namespace
}  // namespace diffie::ops
