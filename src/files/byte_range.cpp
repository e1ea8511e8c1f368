#include "files/byte_range.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "files/regular_file.h"

namespace diffie::files {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

}  // namespace

ByteRange::ByteRange(const RegularFile& file) : file_(&file), size_(file.size()) {}

ByteRange ByteRange::part(std::uint64_t begin, std::size_t size) const {
  DIFFIE_ASSERT(begin <= size_ && size <= size_ - begin);
  ByteRange part = *this;
  if (file_ == nullptr) part.memory_ += begin;
  part.begin_ += begin;
  part.size_ = size;
  return part;
}

void ByteRange::copy_to(std::span<std::byte> out) const {
  DIFFIE_ASSERT(out.size() == size_);
  if (file_ != nullptr) return file_->read_at(begin_, out);
  if (size_ > 0) std::memcpy(out.data(), memory_, size_);
}

void ByteRange::for_each_block(const std::function<void(std::span<const std::byte>)>& use) const {
  if (size_ == 0) return;
  if (file_ == nullptr) return use({memory_, size_});
  std::vector<std::byte> block(std::min(size_, kBlockBytes));
  for (std::size_t reached = 0; reached < size_;) {
    const std::span piece = std::span(block).first(std::min(block.size(), size_ - reached));
    file_->read_at(begin_ + reached, piece);
    use(piece);
    reached += piece.size();
  }
}

}  // namespace diffie::files
