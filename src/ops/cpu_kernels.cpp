#include "ops/cpu_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#if defined(DIFFIE_ARM_SIMD) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#if defined(DIFFIE_X86_SIMD) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "diffie/error.h"

namespace diffie::ops {

const CpuKernels kScalarKernels = {
    .name = "scalar",
    .gemm = gemm_reference,
    .layer_norm = layer_norm_reference,
    .gelu = gelu_reference,
    .attention = attention_reference,
    .table_add = table_add_reference,
    .quantize = quantize_reference,
    .gemm_int8 = gemm_int8_reference,
};

namespace {

constexpr const char* kKnownNames[] = {"avx2", "avxvnni", "avx512", "avx512vnni",
                                       "amx",  "neon",    "neondot"};

#if defined(DIFFIE_ARM_SIMD)
CpuKernels make_neon_dot() {
  CpuKernels table = kNeonKernels;
  table.name = "neondot";
  table.gemm_int8 = gemm_int8_neon_dot;
  return table;
}

bool has_dot_products() {
#if defined(__APPLE__)
  return true;  // all of Apple's have them
#elif defined(__linux__)
  return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
#else
  return false;
#endif
}
#endif

#if defined(DIFFIE_X86_SIMD)
CpuKernels make_avx_vnni() {
  CpuKernels table = kAvx2Kernels;
  table.name = "avxvnni";
  table.gemm_int8 = gemm_int8_avx_vnni;
  table.int8_order = InputOrder::kNatural;
  return table;
}

CpuKernels make_avx512_vnni() {
  CpuKernels table = kAvx512Kernels;
  table.name = "avx512vnni";
  table.gemm_int8 = gemm_int8_avx512_vnni;
  table.int8_order = InputOrder::kNatural;
  return table;
}

CpuKernels make_amx() {
  CpuKernels table = make_avx512_vnni();
  table.name = "amx";
  table.gemm_int8 = gemm_int8_amx;
  return table;
}

// Linux gives the tiles to processes that ask for them.
bool has_amx() {
#if defined(__linux__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return __builtin_cpu_supports("amx-int8") &&
         ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}
#endif

std::vector<const CpuKernels*> find_runnable() {
  std::vector<const CpuKernels*> tables = {&kScalarKernels};
#if defined(DIFFIE_X86_SIMD)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    tables.push_back(&kAvx2Kernels);
    static const CpuKernels avx_vnni = make_avx_vnni();
    if (__builtin_cpu_supports("avxvnni")) tables.push_back(&avx_vnni);
    if (__builtin_cpu_supports("avx512f")) {
      tables.push_back(&kAvx512Kernels);
      static const CpuKernels avx512_vnni = make_avx512_vnni();
      static const CpuKernels amx = make_amx();
      if (__builtin_cpu_supports("avx512vnni")) {
        tables.push_back(&avx512_vnni);
        if (has_amx()) tables.push_back(&amx);
      }
    }
  }
#elif defined(DIFFIE_ARM_SIMD)
  tables.push_back(&kNeonKernels);
  static const CpuKernels neon_dot = make_neon_dot();
  if (has_dot_products()) tables.push_back(&neon_dot);
#endif
  return tables;
}

const CpuKernels& choose() {
  const std::span<const CpuKernels* const> runnable = runnable_kernels();
  const char* wanted = std::getenv("DIFFIE_CPU_ISA");
  if (wanted == nullptr || *wanted == '\0') return *runnable.back();
  for (const CpuKernels* table : runnable) {
    if (std::string_view(wanted) == table->name) return *table;
  }
  for (const char* known : kKnownNames) {
    if (std::string_view(wanted) != known) continue;
    throw Error(ErrorCode::kUnsupported,
                fmt::format("DIFFIE_CPU_ISA={}: this machine runs at most {}", wanted,
                            runnable.back()->name));
  }
  throw Error(ErrorCode::kInvalidArgument, fmt::format("DIFFIE_CPU_ISA={}: wanted scalar, {}",
                                                       wanted, fmt::join(kKnownNames, ", ")));
}

}  // namespace

std::span<const CpuKernels* const> runnable_kernels() {
  static const std::vector<const CpuKernels*> tables = find_runnable();
  return tables;
}

const CpuKernels& cpu_kernels() {
  static const CpuKernels& chosen = choose();
  return chosen;
}

}  // namespace diffie::ops
