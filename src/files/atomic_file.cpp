#include "files/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "diffie/error.h"
#include "files/uninterrupted.h"

namespace diffie::files {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be created: {}", path.string(), why));
}

}  // namespace

fs::path temporary_sibling(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  fs::path place = path.lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // "dir/" means dir
  std::error_code ignored;
  while (true) {  // a process that was killed may have had this number, too
    fs::path name = place;
    name += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
    if (!fs::exists(fs::symlink_status(name, ignored))) return name;
  }
}

fs::path behind_links(const fs::path& path) {
  std::error_code problem, ignored;
  if (!fs::is_symlink(fs::symlink_status(path, ignored))) return path;
  const fs::path target = fs::canonical(path, problem);
  if (!problem) return target;
  if (problem == std::errc::too_many_symbolic_link_levels) refuse(path, problem.message());
  if (fs::exists(path, ignored)) return path;
  // It leads to nothing yet, maybe by another link.
  const fs::path named = path.parent_path() / fs::read_symlink(path, problem);
  const fs::path folder = fs::weakly_canonical(named.parent_path(), ignored);
  return problem || ignored ? path : behind_links(folder / named.filename());
}

bool is_special_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  // A link that behind_links() left has no name behind it: a file that was removed while open.
  return fs::is_other(status) ||
         (fs::exists(status) && fs::is_symlink(fs::symlink_status(behind_links(path), ignored)));
}

fs::path place_of_file(const fs::path& path) {
  fs::path place = behind_links(path);
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) refuse(path, "is a folder");
  if (!place.has_filename()) refuse(path, "is the name of a folder");
  return place;
}

void check_can_be_written(const fs::path& path) {
  const fs::path place = place_of_file(path);
  if (is_special_file(place)) return;
  const fs::path folder = place.parent_path() / ".";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, std::strerror(errno));
}

mode_t first_permissions(const fs::path& place) {
  std::error_code ignored;
  return fs::is_regular_file(place, ignored) ? 0600 : 0666;
}

void take_permissions(int descriptor, const fs::path& place) {
  struct stat there {};
  if (::stat(place.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return;
  // Where that fails the file has fewer readers, not more.
  ::fchmod(descriptor, there.st_mode & 0777);
}

AtomicFile::AtomicFile(const fs::path& path) : path_(place_of_file(path)) {
  if (is_special_file(path_)) {
    fd_ = uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC); });
  } else {
    temporary_ = temporary_sibling(path_);
    fd_ = uninterrupted([&] {
      return ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    first_permissions(path_));
    });
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
    take_permissions(fd_, path_);
    if (uninterrupted([&] { return ::fsync(fd_); }) != 0) fail("cannot be written");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
  }
  ::close(std::exchange(fd_, -1));
}

void write_text_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace diffie::files
