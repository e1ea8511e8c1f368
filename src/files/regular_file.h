#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "diffie/error.h"

namespace diffie::files {

// A regular file, open for reading, and its size when it was opened. Others may write to it, cut it
// short or remove it meanwhile: that is an Error of the one call that meets it.
class RegularFile {
 public:
  // Throws kNotFound when the path is absent, unreadable or no regular file.
  explicit RegularFile(std::filesystem::path path);
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile();

  std::size_t size() const { return size_; }

  // Bytes read, 0 at the end.
  std::size_t read(std::span<std::byte> out);
  // All of `out`, from this place on; safe to call from many threads. Throws kCorruptModel when the
  // file ends before, kNotFound when it cannot be read.
  void read_at(std::uint64_t begin, std::span<std::byte> out) const;

  [[noreturn]] void fail(ErrorCode code, const std::string& what) const;

 private:
  [[noreturn]] void unreadable(int error) const;

  std::filesystem::path path_;
  int fd_ = -1;
  std::size_t size_ = 0;
};

}  // namespace diffie::files
