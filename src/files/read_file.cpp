#include "files/read_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "diffie/error.h"
#include "files/loaded_file.h"
#include "files/uninterrupted.h"

namespace diffie::files {
namespace {

struct Descriptor {
  explicit Descriptor(const std::filesystem::path& path)
      : number(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); })) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }

  int number;
};

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const auto unreadable = [&](const std::string& why) {
    return Error(ErrorCode::kNotFound, fmt::format("{}: {}", path.string(), why));
  };
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw unreadable("is a directory, a file was wanted");
  }
  const Descriptor file(path);
  if (file.number < 0) throw unreadable(fmt::format("cannot be read: {}", std::strerror(errno)));
  const auto check_size = [&](std::uintmax_t size) {
    if (size <= max_bytes) return;
    throw Error(ErrorCode::kExhausted,
                fmt::format("{}: over {} bytes, the most that is read", path.string(), max_bytes));
  };
  std::string text;
  // A hint only: pipes have no size and files may grow.
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (!failure) {
    check_size(size);
    text.reserve(static_cast<std::size_t>(size) + 1);
  }
  std::vector<char> chunk(1 << 16);
  while (true) {
    const ssize_t got =
        uninterrupted([&] { return ::read(file.number, chunk.data(), chunk.size()); });
    if (got < 0) throw unreadable(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (got == 0) return text;
    check_size(text.size() + static_cast<std::size_t>(got));
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::string read_small_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const LoadedFile file = LoadedFile::open(path, max_bytes);
  const std::span<const std::byte> bytes = file.bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace diffie::files
