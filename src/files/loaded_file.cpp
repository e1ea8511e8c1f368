#include "files/loaded_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "diffie/error.h"

namespace diffie::files {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

// Open for reading, and its size then.
class RegularFile {
 public:
  explicit RegularFile(const std::filesystem::path& path) : path_(path) {
    // O_NONBLOCK: opening a pipe without a writer would wait for ever.
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) unreadable(std::strerror(errno));
    struct stat status {};
    const bool known = ::fstat(fd_, &status) == 0;
    const int error = errno;
    if (known && S_ISREG(status.st_mode)) {
      size_ = static_cast<std::size_t>(status.st_size);
      return;
    }
    ::close(fd_);
    unreadable(known ? "not a regular file" : std::strerror(error));
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile() { ::close(fd_); }

  std::size_t size() const { return size_; }
  int descriptor() const { return fd_; }

  // Bytes read, 0 at the end.
  std::size_t read(std::byte* out, std::size_t room) {
    while (true) {
      const ssize_t got = ::read(fd_, out, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) unreadable(std::strerror(errno));
    }
  }

  [[noreturn]] void fail(ErrorCode code, const std::string& what) const {
    throw Error(code, fmt::format("{}: {}", path_.string(), what));
  }

 private:
  [[noreturn]] void unreadable(const char* why) const { fail(ErrorCode::kNotFound, why); }

  const std::filesystem::path& path_;
  int fd_ = -1;
  std::size_t size_ = 0;
};

}  // namespace

LoadedFile LoadedFile::open(const std::filesystem::path& path, std::size_t max_bytes) {
  RegularFile file(path);
  const std::size_t size = file.size();
  if (size > max_bytes) {
    file.fail(ErrorCode::kCorruptModel,
              fmt::format("{} bytes, at most {} are allowed", size, max_bytes));
  }
  if (size == 0) return LoadedFile(nullptr, 0);
  // Whole pages: given back to the system at once when the file is let go.
  void* const room =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    file.fail(ErrorCode::kExhausted, fmt::format("no memory for its {} bytes", size));
  auto* const data = static_cast<std::byte*>(room);
  LoadedFile loaded(data, size);
  for (std::size_t reached = 0; reached < size;) {
    const std::size_t got = file.read(data + reached, size - reached);
    if (got == 0) {
      file.fail(ErrorCode::kCorruptModel,
                fmt::format("shrank from {} to {} bytes while it was read", size, reached));
    }
    reached += got;
  }
  ::mprotect(room, size, PROT_READ);  // nothing of ours writes to it; if refused, nothing is lost
  return loaded;
}

LoadedFile LoadedFile::map(const std::filesystem::path& path) {
  const RegularFile file(path);
  if (file.size() == 0) return LoadedFile(nullptr, 0);
  void* const pages = ::mmap(nullptr, file.size(), PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (pages == MAP_FAILED)
    file.fail(ErrorCode::kExhausted, fmt::format("no memory for its {} bytes", file.size()));
  return LoadedFile(static_cast<const std::byte*>(pages), file.size());
}

LoadedFile::LoadedFile(LoadedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LoadedFile& LoadedFile::operator=(LoadedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

LoadedFile::~LoadedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void for_each_block(const std::filesystem::path& path,
                    const std::function<void(std::span<const std::byte>)>& use) {
  RegularFile file(path);
  std::vector<std::byte> block(std::clamp<std::size_t>(file.size(), 1, kBlockBytes));
  while (const std::size_t got = file.read(block.data(), block.size())) {
    use(std::span(block).first(got));
  }
}

}  // namespace diffie::files
