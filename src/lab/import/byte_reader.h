#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace diffie::lab {

// Reads little-endian numbers, varints and byte runs from front to back. Nothing is read behind the
// end: that throws kCorruptModel naming `where`.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string_view where)
      : bytes_(bytes), where_(where) {}

  bool empty() const { return position_ == bytes_.size(); }
  std::size_t remaining() const { return bytes_.size() - position_; }
  std::size_t position() const { return position_; }

  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  std::uint64_t varint();  // base 128, at most 64 bits
  std::span<const std::byte> bytes(std::uint64_t count);
  std::string_view text(std::uint64_t count);
  void skip(std::uint64_t count) { bytes(count); }

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::uint64_t little_endian(std::size_t count);

  std::span<const std::byte> bytes_;
  std::string where_;
  std::size_t position_ = 0;
};

// bytes[offset, offset + size), or kCorruptModel naming `where` and `what`.
std::span<const std::byte> checked_subspan(std::span<const std::byte> bytes, std::uint64_t offset,
                                           std::uint64_t size, std::string_view where,
                                           std::string_view what);

}  // namespace diffie::lab
