#include "engine/row_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace diffie::engine {
namespace {

std::uint64_t hash_row(const std::uint8_t* row, std::size_t length) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  std::uint64_t hash = length;
  for (std::size_t at = 0; at < length; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, row + at, std::min<std::size_t>(8, length - at));
    hash = (std::rotl(hash, 29) ^ word) * kGolden;
  }
  return hash ^ hash >> 32;
}

}  // namespace

std::size_t RowIndex::find(std::span<const std::uint8_t> states, std::size_t length,
                           std::span<std::uint32_t> slot_of_row,
                           std::vector<std::uint8_t>& distinct) {
  const std::size_t rows = slot_of_row.size();
  const std::size_t begin = distinct.size();
  const std::size_t mask = std::bit_ceil(2 * rows) - 1;
  table_.assign(mask + 1, 0);
  hashes_.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* row_states = states.data() + row * length;
    if (row > 0 && std::memcmp(row_states, row_states - length, length) == 0) {
      slot_of_row[row] = slot_of_row[row - 1];
      continue;
    }
    const std::uint64_t hash = hash_row(row_states, length);
    std::size_t at = hash & mask;
    const auto differs = [&](std::uint32_t slot) {
      return hashes_[slot] != hash ||
             std::memcmp(distinct.data() + begin + slot * length, row_states, length) != 0;
    };
    while (table_[at] != 0 && differs(table_[at] - 1)) at = (at + 1) & mask;
    if (table_[at] == 0) {
      hashes_.push_back(hash);
      table_[at] = static_cast<std::uint32_t>(hashes_.size());
      distinct.insert(distinct.end(), row_states, row_states + length);
    }
    slot_of_row[row] = table_[at] - 1;
  }
  return hashes_.size();
}

}  // namespace diffie::engine
