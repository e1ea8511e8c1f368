#include "base/write_stderr.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace diffie::base {
namespace {

// Keeps back the signal of a pipe that nobody reads, for this thread and while it lives.
class NoBrokenPipe {
 public:
  NoBrokenPipe() noexcept {
    ::sigemptyset(&broken_pipe_);
    ::sigaddset(&broken_pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~NoBrokenPipe() {
    // One that was kept back before is not ours to take.
    if (met_ && ::sigismember(&before_, SIGPIPE) == 0) {
      const timespec now{};
      ::sigtimedwait(&broken_pipe_, nullptr, &now);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

  void met() noexcept { met_ = true; }

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
  bool met_ = false;
};

}  // namespace

void write_stderr(std::string_view text) noexcept {
  const int errno_before = errno;
  {
    NoBrokenPipe pipe;
    while (!text.empty()) {
      const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EPIPE) pipe.met();
      if (written <= 0) break;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  errno = errno_before;
}

}  // namespace diffie::base
