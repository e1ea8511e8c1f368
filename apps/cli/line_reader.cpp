#include "line_reader.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "diffie/utf8.h"

namespace diffie::cli {
namespace {

// getline(3) keeps one growing buffer for all lines.
struct LineBuffer {
  char* data = nullptr;
  std::size_t capacity = 0;
  ~LineBuffer() { std::free(data); }
};

bool read_lines(std::FILE* file, std::string_view name, LineBuffer& buffer,
                const std::function<void(const InputLine&)>& handle) {
  std::size_t number = 0;
  errno = 0;
  for (;;) {
    const ssize_t length = getline(&buffer.data, &buffer.capacity, file);
    if (length < 0) break;
    std::string_view text(buffer.data, static_cast<std::size_t>(length));
    if (text.ends_with('\n')) text.remove_suffix(1);
    handle({text, name, ++number});
    errno = 0;
  }
  if (std::feof(file) != 0) return true;
  fmt::print(stderr, "diffie: {}: {}\n", name, std::strerror(errno));
  return false;
}

}  // namespace

bool for_each_line(std::span<const std::string> files,
                   const std::function<void(const InputLine&)>& handle) {
  const std::string standard_input = "-";
  if (files.empty()) files = {&standard_input, 1};
  LineBuffer buffer;
  bool all_read = true;
  for (const std::string& name : files) {
    if (name == "-") {
      all_read &= read_lines(stdin, "standard input", buffer, handle);
      continue;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                               &std::fclose);
    if (file == nullptr) {
      fmt::print(stderr, "diffie: {}: {}\n", name, std::strerror(errno));
      all_read = false;
      continue;
    }
    all_read &= read_lines(file.get(), name, buffer, handle);
  }
  return all_read;
}

bool check_utf8(const InputLine& line) {
  const auto bad_byte = find_invalid_utf8(line.text);
  if (!bad_byte) return true;
  fmt::print(stderr, "diffie: {}: line {}: byte {} is not valid UTF-8, read as U+FFFD\n", line.file,
             line.number, *bad_byte);
  return false;
}

}  // namespace diffie::cli
