#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace diffie::train {

// CRC-32C (Castagnoli).
std::uint32_t crc32c(std::span<const std::byte> bytes);

// As stored beside the data it covers, so that a CRC of data with CRCs inside stays sound.
inline std::uint32_t masked_crc32c(std::span<const std::byte> bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

}  // namespace diffie::train
