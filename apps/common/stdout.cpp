#include "stdout.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "diffie/error.h"

namespace diffie::cli {

void write_stdout(std::string_view text) {
  bool written = std::fflush(stdout) == 0;
  while (written && !text.empty()) {
    const ssize_t some = ::write(STDOUT_FILENO, text.data(), text.size());
    if (some >= 0) {
      text.remove_prefix(static_cast<std::size_t>(some));
    } else if (errno == EAGAIN) {  // somebody who has it, too, wants no waiting: we do
      pollfd room{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else {
      written = errno == EINTR;
    }
  }
  if (written) return;
  throw Error(ErrorCode::kExhausted,
              fmt::format("standard output: writing failed: {}", std::strerror(errno)));
}

}  // namespace diffie::cli
