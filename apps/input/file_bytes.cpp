#include "file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "diffie/error.h"
#include "files/uninterrupted.h"

namespace diffie::cli {

FileBytes::FileBytes(const std::string& path) : path_(path) {
  if (path_ == "-") {
    descriptor_ = STDIN_FILENO;
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: is a directory, not a text file", path_));
  }
  descriptor_ = files::uninterrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor_ < 0) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  }
}

FileBytes::~FileBytes() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t FileBytes::read(char* to, std::size_t max) {
  if (head_.empty()) return read_file(to, max);
  const std::size_t size = std::min(max, head_.size());
  std::memcpy(to, head_.data(), size);
  head_.erase(0, size);
  return size;
}

bool FileBytes::ready() const {
  pollfd request{descriptor_, POLLIN, 0};
  return !head_.empty() || ::poll(&request, 1, 0) != 0;
}

bool FileBytes::begins_with(std::string_view magic) {
  while (head_.size() < magic.size() && magic.starts_with(head_)) {
    char next = 0;
    if (read_file(&next, 1) == 0) break;
    head_ += next;
  }
  return head_.starts_with(magic);
}

std::size_t FileBytes::read_file(char* to, std::size_t max) {
  const ssize_t got = files::uninterrupted([&] { return ::read(descriptor_, to, max); });
  if (got < 0) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: reading failed: {}", path_, std::strerror(errno)));
  }
  bytes_read_ += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

}  // namespace diffie::cli
