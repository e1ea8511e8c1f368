#include "files/loaded_file.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "diffie/error.h"
#include "files/regular_file.h"

namespace diffie::files {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

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
    const std::size_t got = file.read({data + reached, size - reached});
    if (got == 0) {
      file.fail(ErrorCode::kCorruptModel,
                fmt::format("shrank from {} to {} bytes while it was read", size, reached));
    }
    reached += got;
  }
  ::mprotect(room, size, PROT_READ);  // nothing of ours writes to it; if refused, nothing is lost
  return loaded;
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
  while (const std::size_t got = file.read(block)) {
    use(std::span(block).first(got));
  }
}

}  // namespace diffie::files
