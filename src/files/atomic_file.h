#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace diffie::files {

// A file written beside its place and renamed there by commit(), so a reader sees the old content
// or all of the new. Without commit() nothing remains. A link stays one: what it leads to is
// written, even where that is nothing yet. What is there and no regular file, as a pipe
// or a device, is written to directly. Who may read and write what is replaced may read and write
// the new file. Throws kNotFound when it cannot be written.
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

// What a link leads to, which need not be there; `path` where it is none, or what it leads to has
// no name (/dev/stdout). Throws kNotFound where links lead to each other.
std::filesystem::path behind_links(const std::filesystem::path& path);

// Whether something is there that takes bytes and must not be replaced: a pipe, a device.
bool is_special_file(const std::filesystem::path& path);

// What a file of this name replaces. Throws kNotFound where that is a folder, or can be nothing
// else.
std::filesystem::path place_of_file(const std::filesystem::path& path);

// For what is written after long work: throws kNotFound where it is plain before that no AtomicFile
// can be. Changes nothing.
void check_can_be_written(const std::filesystem::path& path);

// Of a file that is to replace `place`: until take_permissions() has given it those of what is
// there then, nobody may read more than now.
mode_t first_permissions(const std::filesystem::path& place);
void take_permissions(int descriptor, const std::filesystem::path& place);

void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace diffie::files
