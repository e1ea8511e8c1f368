#include "diffusion/diffusion_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "diffie/error.h"

namespace diffie::diffusion {
namespace {

constexpr std::array<std::string_view, 3> kKernels = {"uniform", "absorbing", "anchored"};
constexpr std::array<std::string_view, 4> kSchedules = {"cosine", "linear", "log-linear",
                                                        "mutual-information"};

// Position of `name` in `names`, which are the values of an enumeration in order.
std::size_t find_name(std::string_view what, std::string_view name,
                      std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} '{}', wanted one of {}", what, base::printable(name),
                            fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::span<const std::string_view> kernel_names() { return kKernels; }
std::span<const std::string_view> schedule_names() { return kSchedules; }

std::string_view name_of(KernelKind kernel) { return kKernels[static_cast<std::size_t>(kernel)]; }

std::string_view name_of(ScheduleKind schedule) {
  return kSchedules[static_cast<std::size_t>(schedule)];
}

KernelKind kernel_from_name(std::string_view name) {
  return static_cast<KernelKind>(find_name("kernel", name, kKernels));
}

ScheduleKind schedule_from_name(std::string_view name) {
  return static_cast<ScheduleKind>(find_name("schedule", name, kSchedules));
}

}  // namespace diffie::diffusion
