#include "packed_bytes.h"

#include <fmt/format.h>

#include "diffie/error.h"

namespace diffie::cli {

PackedBytes::PackedBytes(std::unique_ptr<FileBytes> file)
    : file_(std::move(file)), block_(std::size_t{64} << 10, '\0') {}

std::size_t PackedBytes::read(char* to, std::size_t max) {
  return at_head_ ? read_head(to, max) : unpack(to, max);
}

// Waits for more only where it may still be that of something packed.
std::size_t PackedBytes::read_head(char* to, std::size_t max) {
  std::size_t size = 0;
  std::size_t got = 0;
  const auto may_become = [&](std::string_view magic) {
    return size < magic.size() && magic.starts_with(std::string_view(to, size));
  };
  do {
    got = unpack(to + size, max - size);
    size += got;
  } while (got > 0 && size < max && (may_become(kGzipMagic) || may_become(kZstdMagic)));
  at_head_ = false;
  const std::string_view head(to, size);
  if (head.starts_with(kGzipMagic) || head.starts_with(kZstdMagic)) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: is packed twice", file_->path()));
  }
  return size;
}

bool PackedBytes::fill() {
  if (position_ < size_) return true;
  position_ = 0;
  size_ = file_->read(block_.data(), block_.size());
  return size_ > 0;
}

void PackedBytes::fail(const char* problem) const {
  const std::uint64_t at = file_->bytes_read() - (size_ - position_);
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: {} at byte {}, the rest is not read", file_->path(), problem, at));
}

}  // namespace diffie::cli
