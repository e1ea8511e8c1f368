#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace diffie::files {

// A regular file, whole, in memory.
class LoadedFile {
 public:
  // In memory of its own: what is checked is what is used later, whoever writes to the file
  // meanwhile. Throws kNotFound when the path is absent, unreadable or no regular file,
  // kCorruptModel when it has more than `max_bytes` or shrinks while it is read, kExhausted without
  // memory for it.
  static LoadedFile open(const std::filesystem::path& path,
                         std::size_t max_bytes = static_cast<std::size_t>(-1));

  LoadedFile(LoadedFile&& other) noexcept;
  LoadedFile& operator=(LoadedFile&& other) noexcept;
  ~LoadedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  LoadedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// The bytes of a regular file from its begin to its end, piece by piece in one small buffer. Throws
// kNotFound like LoadedFile.
void for_each_block(const std::filesystem::path& path,
                    const std::function<void(std::span<const std::byte>)>& use);

}  // namespace diffie::files
