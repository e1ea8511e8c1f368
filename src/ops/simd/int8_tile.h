#pragma once

#include <cstddef>
#include <cstdint>

namespace diffie::ops {
namespace {

// A few rows of quantised inputs times one panel of int8 weights, over a block of inputs.
struct Int8Tile {
  const std::uint8_t* a;
  std::size_t a_stride;
  const std::int8_t* w;
  const std::uint32_t* order;  // [groups] each group's first input
  std::size_t groups;
  std::size_t pairs;  // of the first groups
  bool add_to_sums;   // else the sums start at zero
};

}  // namespace
}  // namespace diffie::ops
