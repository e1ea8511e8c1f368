// Stands in for inflate.cpp in a build without zlib.
#include <fmt/format.h>

#include "diffie/error.h"
#include "lab/import/inflate.h"

namespace diffie::lab {
namespace {

[[noreturn]] void refuse(std::string_view where) {
  throw Error(ErrorCode::kUnsupported,
              fmt::format("{}: is compressed, and this build has no zlib", where));
}

}  // namespace

std::vector<std::byte> inflate_raw(std::span<const std::byte>, std::uint64_t,
                                   std::string_view where) {
  refuse(where);
}

std::vector<std::byte> gunzip(std::span<const std::byte>, std::uint64_t, std::string_view where) {
  refuse(where);
}

std::uint32_t crc32_of(std::span<const std::byte>) { refuse("archive"); }

}  // namespace diffie::lab
