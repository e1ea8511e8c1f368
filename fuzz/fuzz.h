// What the fuzzing targets share. A target makes one call of what it tests; anything but a
// diffie::Error that comes out of it, and every promise that does not hold, ends the process.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "diffie/error.h"

// A promise.
#define FUZZ_CHECK(condition)                                                             \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

namespace diffie::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// False: refused with an Error of one line.
template <typename Call>
bool accepted(Call call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    FUZZ_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
    FUZZ_CHECK(error.code() != ErrorCode::kInternal);
    return false;
  }
}

// Decisions out of the input, which are all "no" and 0 when it is used up.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  bool any() const { return !bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }

  std::uint64_t below(std::uint64_t count) {
    std::uint64_t value = byte();
    if (count > 256) value = value << 8 | byte();
    return value % count;
  }

  // Numbers that break things, and any others.
  std::uint64_t number() {
    const std::uint64_t kind = below(8);
    if (kind == 0) return byte();
    if (kind == 1) return ~std::uint64_t{0} - byte();
    if (kind == 2) return std::uint64_t{1} << below(64);
    if (kind == 3) return (std::uint64_t{1} << below(64)) - 1;
    if (kind == 4) return below(65536);
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }

  std::string_view text(std::size_t max) {
    const std::string_view taken = bytes_.substr(0, below(max + 1));
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

inline bool is_utf8(std::string_view text) { return !base::find_invalid_utf8(text); }

}  // namespace diffie::fuzz
