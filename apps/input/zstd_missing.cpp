#include <fmt/format.h>

#include "diffie/error.h"
#include "packed_bytes.h"

namespace diffie::cli {

std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<FileBytes> file) {
  throw Error(
      ErrorCode::kUnsupported,
      fmt::format("{}: is packed with zstd, this diffie was built without libzstd", file->path()));
}

}  // namespace diffie::cli
