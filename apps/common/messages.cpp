#include "messages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "base/printable.h"
#include "base/write_stderr.h"

namespace diffie::cli {
namespace {

constexpr std::string_view kWipe = "\r\x1b[K";

// Whether the last line of stderr is a status; stderr is one for all of the process.
std::atomic<bool> status_is_drawn = false;

}  // namespace

void tell(std::string_view text) noexcept {
  const std::string_view wipe = status_is_drawn.exchange(false) ? kWipe : "";
  try {
    base::write_stderr(fmt::format("{}diffie: {}\n", wipe, base::one_line_shown(text)));
  } catch (...) {
    base::write_stderr("diffie: out of memory\n");
  }
}

void draw_status(std::string_view text) noexcept {
  const bool was_drawn = status_is_drawn.exchange(!text.empty());
  if (!was_drawn && text.empty()) return;
  base::write_stderr(kWipe);
  base::write_stderr(text);
}

void hold_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is taken: this one. Standard output is opened for reading and the
    // others for writing, so that what is asked of them fails; stderr swallows what it gets.
    ::open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

void take_size_limits_as_errors() noexcept { ::signal(SIGXFSZ, SIG_IGN); }

}  // namespace diffie::cli
