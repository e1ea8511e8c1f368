#include "files/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "diffie/error.h"
#include "files/uninterrupted.h"

namespace diffie::files {

std::filesystem::path temporary_sibling(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path place = path.lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // "dir/" means dir
  std::error_code ignored;
  while (true) {  // a process that was killed may have had this number, too
    std::filesystem::path name = place;
    name += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
    if (!std::filesystem::exists(std::filesystem::symlink_status(name, ignored))) return name;
  }
}

std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, problem))) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, problem);
  return problem ? path : target;
}

bool is_special_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_other(std::filesystem::status(path, ignored));
}

AtomicFile::AtomicFile(const std::filesystem::path& path) : path_(behind_links(path)) {
  if (is_special_file(path_)) {
    fd_ = uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC); });
  } else {
    temporary_ = temporary_sibling(path_);
    fd_ = uninterrupted(
        [&] { return ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  }
  if (fd_ < 0) fail("cannot be created");
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* doing) const {
  throw Error(ErrorCode::kNotFound,
              fmt::format("{}: {}: {}", path_.string(), doing, std::strerror(errno)));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(fd_, bytes.data(), bytes.size()); });
    if (written < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty()) {
    if (uninterrupted([&] { return ::fsync(fd_); }) != 0) fail("cannot be written");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
  }
  ::close(std::exchange(fd_, -1));
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace diffie::files
