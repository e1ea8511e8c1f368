#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace diffie::ops {

// Orders the groups of one block of a panel (packed_int8.h) so that pairs whose products may be
// added in 16 bits come first. weights [groups, 16, 4]. Writes the groups' new order and returns
// the number of pairs. The same weights give the same order.
std::size_t pair_groups(std::span<const std::int8_t> weights, std::span<std::uint32_t> order);

}  // namespace diffie::ops
