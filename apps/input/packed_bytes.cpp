#include "packed_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "diffie/error.h"
#include "magic.h"

namespace diffie::cli {
namespace {

constexpr std::array<std::string_view, 2> kPackedMagics = {kGzipMagic, kZstdMagic};

bool begins_with_one(std::string_view head, std::span<const std::string_view> magics) {
  return std::any_of(magics.begin(), magics.end(),
                     [&](std::string_view magic) { return head.starts_with(magic); });
}

// Of fewer bytes than there will be.
bool may_begin_with_one(std::string_view head, std::span<const std::string_view> magics) {
  return std::any_of(magics.begin(), magics.end(), [&](std::string_view magic) {
    return head.size() < magic.size() && magic.starts_with(head);
  });
}

}  // namespace

PackedBytes::PackedBytes(std::unique_ptr<FileBytes> file)
    : file_(std::move(file)), block_(std::size_t{64} << 10, '\0') {}

std::size_t PackedBytes::read(char* to, std::size_t max) {
  return at_head_ ? read_head(to, max) : unpack(to, max);
}

// Waits for more only where it may still be that of something packed, or of a table.
std::size_t PackedBytes::read_head(char* to, std::size_t max) {
  std::size_t size = 0;
  std::size_t got = 0;
  std::string_view head;
  do {
    got = unpack(to + size, max - size);
    size += got;
    head = {to, size};
  } while (got > 0 && size < max &&
           (may_begin_with_one(head, kPackedMagics) || may_begin_with_one(head, kTableMagics)));
  at_head_ = false;
  if (begins_with_one(head, kPackedMagics)) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: is packed twice", file_->path()));
  }
  if (begins_with_one(head, kTableMagics)) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: tables are not packed", file_->path()));
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
