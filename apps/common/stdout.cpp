#include "stdout.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "diffie/error.h"

namespace diffie::cli {

void write_stdout(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written < text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorCode::kExhausted,
                fmt::format("standard output: writing failed: {}", std::strerror(errno)));
  }
}

}  // namespace diffie::cli
