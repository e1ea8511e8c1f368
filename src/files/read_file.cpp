#include "files/read_file.h"

#include <fmt/core.h>

#include <fstream>
#include <vector>

#include "diffie/error.h"
#include "files/loaded_file.h"

namespace diffie::files {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 31;

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  const auto unreadable = [&](const char* why) {
    return Error(ErrorCode::kNotFound, fmt::format("{}: {}", path.string(), why));
  };
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw unreadable("is a directory, a file was wanted");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw unreadable("cannot be read");
  std::string text;
  // A hint only: pipes have no size and files may grow.
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (!failure && size <= kMaxFileBytes) text.reserve(static_cast<std::size_t>(size) + 1);
  std::vector<char> chunk(1 << 16);
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) {
      throw Error(ErrorCode::kExhausted, fmt::format("{}: over {} bytes, the most that is read",
                                                     path.string(), kMaxFileBytes));
    }
  }
  if (file.bad()) throw unreadable("cannot be read");
  return text;
}

std::string read_small_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const LoadedFile file = LoadedFile::open(path, max_bytes);
  const std::span<const std::byte> bytes = file.bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace diffie::files
