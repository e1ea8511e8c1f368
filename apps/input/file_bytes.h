#pragma once

#include <string>
#include <string_view>

#include "byte_source.h"

namespace diffie::cli {

// A file as it is.
class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::string& path);
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::size_t read(char* to, std::size_t max) override;
  bool ready() const override;
  std::uint64_t bytes_read() const override { return bytes_read_; }

  // Whether the file begins with `magic`; only before the first read().
  bool begins_with(std::string_view magic);
  const std::string& path() const { return path_; }

 private:
  std::size_t read_file(char* to, std::size_t max);

  std::string path_;
  int descriptor_ = -1;
  std::string head_;  // looked at, not yet read
  std::uint64_t bytes_read_ = 0;
};

}  // namespace diffie::cli
