#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace diffie::files {

// A file written beside its place and renamed there by commit(), so a reader sees the old content
// or all of the new. Without commit() nothing remains. A link stays one: what it leads to is
// written. What is there and no regular file, as a pipe
// or a device, is written to directly. Throws kNotFound when it cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: written to directly
  int fd_ = -1;
};

// A name beside `path` that is not there and that no other writer uses: the process, a counter and
// a suffix.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);

// What a link leads to, where that is there; `path` where it is none.
std::filesystem::path behind_links(const std::filesystem::path& path);

// Whether something is there that takes bytes and must not be replaced: a pipe, a device.
bool is_special_file(const std::filesystem::path& path);

void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace diffie::files
