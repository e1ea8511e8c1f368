#pragma once

#include "model_dir/model_config.h"

namespace diffie::diffusion {

inline constexpr ScheduleKind kAllSchedules[] = {ScheduleKind::kCosine, ScheduleKind::kLinear,
                                                 ScheduleKind::kLogLinear,
                                                 ScheduleKind::kMutualInformation};
inline constexpr KernelKind kBothKernels[] = {KernelKind::kUniform, KernelKind::kAbsorbing};

inline DiffusionConfig make_config(KernelKind kernel, ScheduleKind schedule, int steps) {
  return {.kernel = kernel, .schedule = schedule, .steps = steps, .cosine_s = 0.002};
}

}  // namespace diffie::diffusion
