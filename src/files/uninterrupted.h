#pragma once

#include <cerrno>

namespace diffie::files {

// The result of a system call, made again while a signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

}  // namespace diffie::files
