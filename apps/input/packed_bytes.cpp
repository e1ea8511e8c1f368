#include "packed_bytes.h"

#include <fmt/format.h>

#include "diffie/error.h"

namespace diffie::cli {

PackedBytes::PackedBytes(std::unique_ptr<FileBytes> file)
    : file_(std::move(file)), block_(std::size_t{64} << 10, '\0') {}

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
