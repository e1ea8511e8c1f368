#include "files/regular_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "files/uninterrupted.h"

namespace diffie::files {

RegularFile::RegularFile(std::filesystem::path path) : path_(std::move(path)) {
  // O_NONBLOCK: opening a pipe without a writer would wait for ever.
  fd_ = uninterrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (fd_ < 0) unreadable(errno);
  struct stat status {};
  const bool known = ::fstat(fd_, &status) == 0;
  const int error = errno;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::size_t>(status.st_size);
    return;
  }
  ::close(fd_);
  if (!known) unreadable(error);
  fail(ErrorCode::kNotFound, "not a regular file");
}

RegularFile::~RegularFile() { ::close(fd_); }

std::size_t RegularFile::read(std::span<std::byte> out) {
  const ssize_t got = uninterrupted([&] { return ::read(fd_, out.data(), out.size()); });
  if (got < 0) unreadable(errno);
  return static_cast<std::size_t>(got);
}

void RegularFile::read_at(std::uint64_t begin, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = uninterrupted(
        [&] { return ::pread(fd_, out.data(), out.size(), static_cast<off_t>(begin)); });
    if (got < 0) unreadable(errno);
    if (got == 0) {
      fail(
          ErrorCode::kCorruptModel,
          fmt::format("was cut short while it is used, from {} to at most {} bytes", size_, begin));
    }
    begin += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

void RegularFile::fail(ErrorCode code, const std::string& what) const {
  throw Error(code, fmt::format("{}: {}", path_.string(), what));
}

void RegularFile::unreadable(int error) const { fail(ErrorCode::kNotFound, std::strerror(error)); }

}  // namespace diffie::files
