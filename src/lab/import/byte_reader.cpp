#include "lab/import/byte_reader.h"

#include <fmt/format.h>

#include "diffie/error.h"

namespace diffie::lab {

void ByteReader::fail(const std::string& problem) const {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where_, problem));
}

std::span<const std::byte> ByteReader::bytes(std::uint64_t count) {
  if (count > remaining()) {
    fail(fmt::format("{} bytes wanted at {}, {} are left", count, position_, remaining()));
  }
  const auto taken = bytes_.subspan(position_, count);
  position_ += count;
  return taken;
}

std::string_view ByteReader::text(std::uint64_t count) {
  const auto taken = bytes(count);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::uint64_t ByteReader::little_endian(std::size_t count) {
  const auto taken = bytes(count);
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(taken[i]);
  return value;
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes(1)[0]);
    if (shift == 63 && byte > 1) break;  // the tenth byte holds one bit
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail(fmt::format("number before byte {} does not fit into 64 bits", position_));
}

std::span<const std::byte> checked_subspan(std::span<const std::byte> bytes, std::uint64_t offset,
                                           std::uint64_t size, std::string_view where,
                                           std::string_view what) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: {} lies at {} with {} bytes, there are {}", where, what, offset,
                            size, bytes.size()));
  }
  return bytes.subspan(offset, size);
}

}  // namespace diffie::lab
