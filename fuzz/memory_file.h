// A file in memory, for what reads files by their names.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "fuzz.h"

namespace diffie::fuzz {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    FUZZ_CHECK(descriptor_ >= 0);
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  const std::string& path() const { return path_; }

  void set(std::string_view bytes) {
    FUZZ_CHECK(::ftruncate(descriptor_, 0) == 0);
    FUZZ_CHECK(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) ==
               static_cast<ssize_t>(bytes.size()));
  }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace diffie::fuzz
