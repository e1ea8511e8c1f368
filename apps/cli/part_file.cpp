#include "part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/file_lock.h"
#include "files/uninterrupted.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMark = "diffie.lock";
constexpr const char* kContent = "content";

[[noreturn]] void refuse(const fs::path& path, const char* why) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path.string(), why));
}

[[noreturn]] void fail(const fs::path& path, const char* doing) {
  throw Error(ErrorCode::kNotFound,
              fmt::format("{}: {}: {}", path.string(), doing, std::strerror(errno)));
}

[[noreturn]] void fail(const fs::path& path, const std::error_code& problem) {
  throw Error(ErrorCode::kNotFound,
              fmt::format("{}: cannot be created: {}", path.string(), problem.message()));
}

[[noreturn]] void not_ours(const fs::path& path) { refuse(path, "is there and not ours"); }

bool is_there(const fs::path& path, fs::file_type other_than) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  return fs::exists(status) && status.type() != other_than;
}

}  // namespace

PartFile::PartFile(fs::path path, int flags, mode_t permissions)
    : path_(std::move(path)), descriptor_(files::uninterrupted([&] {
        return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags, permissions);
      })) {
  if (descriptor_ >= 0) return;
  const int why = errno;
  if ((flags & O_NOFOLLOW) != 0 && is_there(path_, fs::file_type::regular)) not_ours(path_);
  errno = why;
  fail(path_, "cannot be created");
}

PartFile::~PartFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool PartFile::lock() {
  struct stat here {
  }, there{};
  if (::fstat(descriptor_, &here) != 0) fail(path_, "cannot be created");
  if (!S_ISREG(here.st_mode)) not_ours(path_);
  if (!files::lock_file(descriptor_)) refuse(path_, "another run is writing it");
  return ::lstat(path_.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

void PartFile::make_empty() {
  if (files::uninterrupted([&] { return ::ftruncate(descriptor_, 0); }) != 0)
    fail(path_, "cannot be written");
}

void PartFile::write(std::string_view bytes) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  waiting_ += bytes;
  if (waiting_.size() >= kPieceBytes) flush();
}

void PartFile::flush() {
  std::string_view left = waiting_;
  while (!left.empty()) {
    const ssize_t written =
        files::uninterrupted([&] { return ::write(descriptor_, left.data(), left.size()); });
    if (written < 0) fail(path_, "cannot be written");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  waiting_.clear();
}

void PartFile::close() {
  flush();
  // Interrupted or not, it is closed.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
    fail(path_, "cannot be written");
}

void PartFile::replace(const fs::path& place) {
  flush();
  files::take_permissions(descriptor_, place);
  if (files::uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    fail(path_, "cannot be written");
  if (::rename(path_.c_str(), place.c_str()) != 0) fail(place, "cannot be renamed into place");
}

namespace {

// Empty, and no other run's while it is open.
std::unique_ptr<PartFile> lock_mark(const fs::path& path) {
  constexpr int kMaxTries = 100;  // file systems that number a file anew at every look
  for (int tries = 0; tries < kMaxTries; ++tries) {
    auto file = std::make_unique<PartFile>(path, O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (!file->lock()) continue;
    file->make_empty();
    return file;
  }
  refuse(path, "another run is writing it");
}

}  // namespace

PartFolder::PartFolder(fs::path path) : path_(std::move(path)) {
  std::error_code problem, ignored;
  if (is_there(path_, fs::file_type::directory)) not_ours(path_);
  fs::create_directory(path_, problem);
  if (!problem && !fs::is_empty(path_, problem) && !fs::exists(path_ / kMark, ignored))
    not_ours(path_);
  if (problem) fail(path_, problem);
  try {
    lock_ = lock_mark(path_ / kMark);
  } catch (...) {
    ::rmdir(path_.c_str());
    throw;
  }
  fs::remove_all(content(), problem);  // of a run that was killed
  if (problem) fail(content(), problem);
}

PartFolder::~PartFolder() {
  try {
    remove();
  } catch (const std::bad_alloc&) {  // it is left as by a run that was killed
  }
}

void PartFolder::remove() {
  std::error_code problem;
  fs::remove_all(content(), problem);
  if (!problem) ::unlink((path_ / kMark).c_str());  // what is left keeps its mark
  lock_.reset();                                    // NFS keeps the name of what is open
  ::rmdir(path_.c_str());                           // not where others have put something there
}

fs::path PartFolder::content() const { return path_ / kContent; }

void PartFolder::make_folder(const fs::path& place) const {
  std::error_code problem, ignored;
  fs::create_directory(content(), fs::is_directory(place, ignored) ? place : path_, problem);
  if (problem) fail(content(), problem);
}

}  // namespace diffie::cli
