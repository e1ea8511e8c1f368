#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "diffie/error.h"
#include "packed_bytes.h"

namespace diffie::cli {
namespace {

class GzipBytes : public PackedBytes {
 public:
  explicit GzipBytes(std::unique_ptr<FileBytes> file) : PackedBytes(std::move(file)) {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw Error(ErrorCode::kExhausted, "zlib has no memory");
    }
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }

  std::size_t unpack(char* to, std::size_t max) override {
    max = std::min<std::size_t>(max, std::numeric_limits<uInt>::max());
    while (begin_member()) {
      if (!fill()) fail("gzip data is cut off");
      const std::size_t unpacked = inflate_block(to, max);
      if (unpacked > 0) return unpacked;
    }
    return 0;
  }

 private:
  // False at the end: no further member. Zeros between and behind members are padding.
  bool begin_member() {
    if (in_member_) return true;
    while (fill() && !is_first_) {
      if (block_[position_] != '\0') break;
      ++position_;
    }
    if (position_ == size_) return false;
    if (!is_first_ && ::inflateReset(&stream_) != Z_OK) fail("gzip data is broken");
    is_first_ = false;
    in_member_ = true;
    return true;
  }

  std::size_t inflate_block(char* to, std::size_t max) {
    stream_.next_in = reinterpret_cast<const Bytef*>(block_.data()) + position_;
    stream_.avail_in = static_cast<uInt>(size_ - position_);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(max);
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    position_ = size_ - stream_.avail_in;
    const std::size_t unpacked = max - stream_.avail_out;
    if (status == Z_STREAM_END) in_member_ = false;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR && unpacked == 0) {
      fail("gzip data is broken");
    }
    return unpacked;
  }

  z_stream stream_{};
  bool in_member_ = false;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<FileBytes> file) {
  return std::make_unique<GzipBytes>(std::move(file));
}

}  // namespace diffie::cli
