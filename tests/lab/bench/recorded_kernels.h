// Recorded figures and the kernels they were recorded with.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <string>

#include "ops/cpu_kernels.h"

namespace diffie::test {

// Takes the kernels `recorded` wherever this machine has them (call it before any is used, once in
// a process) and returns how far an F1, in points, may be from the recorded one. The same kernels
// give the same bits, so only the record's rounding to two digits remains. Others round otherwise,
// which turns a tag over now and then; a few sentences feel that more than many.
inline double recorded_tolerance(const std::string& recorded, std::size_t sentences) {
  const auto runnable = ops::runnable_kernels();
  if (std::any_of(runnable.begin(), runnable.end(),
                  [&](const ops::CpuKernels* kernels) { return kernels->name == recorded; })) {
    ::setenv("DIFFIE_CPU_ISA", recorded.c_str(), 0);
  }
  if (ops::cpu_kernels().name == recorded) return 0.0051;
  return sentences >= 200 ? 0.5 : sentences >= 100 ? 1.0 : 3.0;
}

}  // namespace diffie::test
