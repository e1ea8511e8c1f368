#include "byte_source.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "magic.h"
#include "packed_bytes.h"

namespace diffie::cli {

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  auto file = std::make_unique<FileBytes>(path);
  if (file->begins_with(kGzipMagic)) return unpack_gzip(std::move(file));
  if (file->begins_with(kZstdMagic)) return unpack_zstd(std::move(file));
  if (file->begins_with(kArrowStreamMagic)) {
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("{}: is an Arrow stream, not text: extract --input-format arrow reads it",
                    path));
  }
  for (const std::string_view magic : kTableMagics) {
    if (!file->begins_with(magic)) continue;
    throw Error(ErrorCode::kBadInput, fmt::format("{}: is a table, not text", path));
  }
  if (path.ends_with(".gz") || path.ends_with(".zst")) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: does not begin as its name says", path));
  }
  return file;
}

std::size_t append_block(ByteSource& source, std::string& to) {
  constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
  const std::size_t before = to.size();
  to.resize(before + kBlockBytes);
  std::size_t got = 0;
  try {
    got = source.read(to.data() + before, kBlockBytes);
  } catch (...) {
    to.resize(before);
    throw;
  }
  to.resize(before + got);
  return got;
}

}  // namespace diffie::cli
