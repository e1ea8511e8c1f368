#pragma once

#include <cstddef>

namespace diffie::base {

// a / b, rounded up.
constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace diffie::base
