#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace diffie::base {

// Product of dims times `unit`, or nullopt when it does not fit. A zero dimension gives 0 only when
// the others fit too, so that no later product of them can wrap.
inline std::optional<std::uint64_t> checked_size(std::span<const std::uint64_t> dims,
                                                 std::uint64_t unit = 1) {
  std::uint64_t size = unit;
  bool empty = false;
  for (const std::uint64_t dim : dims) {
    if (dim == 0) {
      empty = true;
      continue;
    }
    if (size > std::numeric_limits<std::uint64_t>::max() / dim) return std::nullopt;
    size *= dim;
  }
  return empty ? 0 : size;
}

}  // namespace diffie::base
