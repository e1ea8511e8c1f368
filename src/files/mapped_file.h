#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace diffie::files {

// A regular file mapped read-only. The file must not shrink while it is mapped: the kernel answers
// reads behind the new end with SIGBUS. Our own writers only ever rename complete files into place.
class MappedFile {
 public:
  // Throws kNotFound when the path is absent, unreadable or no regular file.
  static MappedFile open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace diffie::files
