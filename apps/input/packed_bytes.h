// Unpackers over a file. They hold one block of the file and the library's own window (128 MiB at
// most), however much comes out.
#pragma once

#include <memory>

#include "file_bytes.h"

namespace diffie::cli {

// Several members one after the other are one text, as with `zcat`. read() throws kBadInput for
// what is broken or cut off.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<FileBytes> file);
std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<FileBytes> file);

// What unpackers share: the block that they work on.
class PackedBytes : public ByteSource {
 public:
  explicit PackedBytes(std::unique_ptr<FileBytes> file);
  // Throws for what comes out packed once more, and for tables.
  std::size_t read(char* to, std::size_t max) final;
  bool ready() const override { return position_ < size_ || file_->ready(); }
  std::uint64_t bytes_read() const override { return file_->bytes_read(); }

 protected:
  virtual std::size_t unpack(char* to, std::size_t max) = 0;  // as read()
  bool fill();  // a new block where the old one is used up; false: the end of the file
  [[noreturn]] void fail(const char* problem) const;

  std::unique_ptr<FileBytes> file_;
  std::string block_;
  std::size_t position_ = 0;  // in block_, of what is not yet unpacked
  std::size_t size_ = 0;

 private:
  std::size_t read_head(char* to, std::size_t max);

  bool at_head_ = true;
};

}  // namespace diffie::cli
