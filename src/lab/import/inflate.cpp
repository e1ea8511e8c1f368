#include "lab/import/inflate.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "diffie/error.h"

namespace diffie::lab {
namespace {

constexpr std::uint64_t kMaxRatio = 1032;  // of deflate: 258 bytes from two bits
constexpr std::size_t kChunk = 1 << 24;    // zlib counts in 32 bits

class InflateStream {
 public:
  InflateStream(std::span<const std::byte> input, int window_bits, std::string_view where)
      : input_(input), where_(where) {
    if (::inflateInit2(&stream_, window_bits) != Z_OK) fail("zlib cannot be started");
  }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  ~InflateStream() { ::inflateEnd(&stream_); }

  // Fills `output` as far as the stream reaches; how many bytes were written.
  std::size_t read(std::span<std::byte> output) {
    std::size_t written = 0;
    while (written < output.size() && !ended_) {
      const std::size_t room = std::min(output.size() - written, kChunk);
      stream_.next_out = reinterpret_cast<Bytef*>(output.data() + written);
      stream_.avail_out = static_cast<uInt>(room);
      step();
      written += room - stream_.avail_out;
    }
    return written;
  }

  // True when nothing follows what was read.
  bool at_end() {
    std::byte one_more{};
    return ended_ || (read({&one_more, 1}) == 0 && ended_);
  }

 private:
  void step() {
    if (stream_.avail_in == 0) {
      const std::size_t fed = std::min(input_.size(), kChunk);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input_.data()));
      stream_.avail_in = static_cast<uInt>(fed);
      input_ = input_.subspan(fed);
    }
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      ended_ = true;
    } else if (status == Z_BUF_ERROR && stream_.avail_in == 0 && input_.empty()) {
      fail("compressed data ends too early");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail("compressed data is damaged");
    }
  }

  [[noreturn]] void fail(const char* problem) const {
    throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where_, problem));
  }

  z_stream stream_{};
  std::span<const std::byte> input_;
  std::string_view where_;
  bool ended_ = false;
};

}  // namespace

std::vector<std::byte> inflate_raw(std::span<const std::byte> compressed, std::uint64_t size,
                                   std::string_view where) {
  if (size / kMaxRatio > compressed.size()) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {} compressed bytes cannot become {}",
                                                      where, compressed.size(), size));
  }
  std::vector<std::byte> output(size);
  InflateStream stream(compressed, -MAX_WBITS, where);
  if (stream.read(output) != size || !stream.at_end()) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: compressed data does not hold {} bytes", where, size));
  }
  return output;
}

std::vector<std::byte> gunzip(std::span<const std::byte> compressed, std::uint64_t max_size,
                              std::string_view where) {
  std::vector<std::byte> output;
  InflateStream stream(compressed, MAX_WBITS + 16, where);
  while (output.size() < max_size) {
    const std::size_t before = output.size();
    output.resize(std::min<std::uint64_t>(max_size, std::max<std::size_t>(1 << 16, 2 * before)));
    const std::size_t written = stream.read(std::span(output).subspan(before));
    const bool full = before + written == output.size();
    output.resize(before + written);
    if (!full) return output;
  }
  if (!stream.at_end()) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: more than {} bytes when decompressed", where, max_size));
  }
  return output;
}

std::uint32_t crc32_of(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace diffie::lab
