#pragma once

#include "io/model_config.h"

namespace diffie::diffusion {

inline constexpr io::ScheduleKind kAllSchedules[] = {
    io::ScheduleKind::kCosine, io::ScheduleKind::kLinear, io::ScheduleKind::kLogLinear,
    io::ScheduleKind::kMutualInformation};
inline constexpr io::KernelKind kBothKernels[] = {io::KernelKind::kUniform,
                                                  io::KernelKind::kAbsorbing};

inline io::DiffusionConfig make_config(io::KernelKind kernel, io::ScheduleKind schedule,
                                       int steps) {
  return {.kernel = kernel, .schedule = schedule, .steps = steps, .cosine_s = 0.002};
}

}  // namespace diffie::diffusion
