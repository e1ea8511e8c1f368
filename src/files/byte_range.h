#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace diffie::files {

class RegularFile;

// Bytes of others: in memory, or in a file, from which they are read when they are asked for. Valid
// while the memory or the file object lives.
class ByteRange {
 public:
  ByteRange() = default;
  ByteRange(std::span<const std::byte> memory) : memory_(memory.data()), size_(memory.size()) {}
  explicit ByteRange(const RegularFile& file);  // all that it had when it was opened

  std::size_t size() const { return size_; }
  // Precondition: begin + size <= size().
  ByteRange part(std::uint64_t begin, std::size_t size) const;

  // All of them. Precondition: out has size() bytes. Throws as RegularFile::read_at.
  void copy_to(std::span<std::byte> out) const;
  // From begin to end; the pieces have a multiple of 8 bytes, but for the last. Throws as
  // RegularFile::read_at.
  void for_each_block(const std::function<void(std::span<const std::byte>)>& use) const;

 private:
  const std::byte* memory_ = nullptr;
  const RegularFile* file_ = nullptr;
  std::uint64_t begin_ = 0;  // of the file
  std::size_t size_ = 0;
};

}  // namespace diffie::files
