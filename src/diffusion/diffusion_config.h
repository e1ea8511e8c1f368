// What kind of noise a model was trained with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace diffie::diffusion {

enum class KernelKind {
  kUniform,    // a tag becomes any tag
  kAbsorbing,  // a tag becomes the mask
  kAnchored,   // the same, in the stages of anchored decoding
};
enum class ScheduleKind { kCosine, kLinear, kLogLinear, kMutualInformation };

struct DiffusionConfig {
  KernelKind kernel = KernelKind::kUniform;
  ScheduleKind schedule = ScheduleKind::kCosine;
  std::int32_t steps = 16;  // T, the trained number of steps
  double cosine_s = 0.002;
};

// Names as they stand in config.json, in the order of the enumerations.
std::span<const std::string_view> kernel_names();
std::span<const std::string_view> schedule_names();
std::string_view name_of(KernelKind kernel);
std::string_view name_of(ScheduleKind schedule);

// An unknown name is kInvalidArgument.
KernelKind kernel_from_name(std::string_view name);
ScheduleKind schedule_from_name(std::string_view name);

}  // namespace diffie::diffusion
