// Deflate and gzip through zlib, with the size of the result bounded beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace diffie::lab {

// Raw deflate data (as in zip) of exactly `size` bytes. Throws kCorruptModel.
std::vector<std::byte> inflate_raw(std::span<const std::byte> compressed, std::uint64_t size,
                                   std::string_view where);

// One gzip stream; kCorruptModel also when the result is larger than `max_size` or its CRC is
// wrong.
std::vector<std::byte> gunzip(std::span<const std::byte> compressed, std::uint64_t max_size,
                              std::string_view where);

// CRC-32 as in zip and gzip.
std::uint32_t crc32_of(std::span<const std::byte> bytes);

}  // namespace diffie::lab
