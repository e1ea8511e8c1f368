#include <zstd.h>

#include "diffie/error.h"
#include "packed_bytes.h"

namespace diffie::cli {
namespace {

class ZstdBytes : public PackedBytes {
 public:
  explicit ZstdBytes(std::unique_ptr<FileBytes> file) : PackedBytes(std::move(file)) {
    if (!stream_) throw Error(ErrorCode::kExhausted, "zstd has no memory");
  }

  std::size_t unpack(char* to, std::size_t max) override {
    while (true) {
      // What the library holds back comes out before new input is asked for.
      const bool has_input = may_hold_more_ || fill();
      if (!has_input && in_frame_) fail("zstd data is cut off");
      if (!has_input) return 0;
      ZSTD_inBuffer input{block_.data(), size_, position_};
      ZSTD_outBuffer output{to, max, 0};
      const std::size_t left = ::ZSTD_decompressStream(stream_.get(), &output, &input);
      if (::ZSTD_isError(left) != 0) fail("zstd data is broken");
      position_ = input.pos;
      in_frame_ = left != 0;
      may_hold_more_ = in_frame_ && output.pos == max;
      if (output.pos > 0) return output.pos;
    }
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{::ZSTD_createDStream()};
  bool in_frame_ = false;
  bool may_hold_more_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<FileBytes> file) {
  return std::make_unique<ZstdBytes>(std::move(file));
}

}  // namespace diffie::cli
