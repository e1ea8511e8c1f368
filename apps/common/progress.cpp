#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "messages.h"

namespace diffie::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::string bar(double share) {
  constexpr int kWidth = 24;
  const int full = std::clamp(static_cast<int>(share * kWidth + 0.5), 0, kWidth);
  return std::string(static_cast<std::size_t>(full), '=') +
         std::string(static_cast<std::size_t>(kWidth - full), ' ');
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress()
    : active_(::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 0),
      start_(std::chrono::steady_clock::now()),
      last_draw_(start_) {}

Progress::~Progress() { draw_status(""); }

void Progress::update(std::uint64_t sentences, std::uint64_t bytes_done,
                      std::optional<std::uint64_t> bytes_total) {
  const auto now = std::chrono::steady_clock::now();
  if (!active_ || Seconds(now - last_draw_).count() < 0.1) return;
  last_draw_ = now;
  const double elapsed = Seconds(now - start_).count();
  const double rate = static_cast<double>(sentences) / elapsed;
  if (!bytes_total || *bytes_total == 0) {
    draw_status(fmt::format("{} sentences, {:.1f}/s", sentences, rate));
  } else {
    const double share =
        std::min(1.0, static_cast<double>(bytes_done) / static_cast<double>(*bytes_total));
    const double left = share > 0 ? elapsed * (1 - share) / share : 0;
    draw_status(fmt::format("[{}] {:3.0f} %  {} sentences, {:.1f}/s, {} left", bar(share),
                            share * 100, sentences, rate, clock_time(left)));
  }
}

}  // namespace diffie::cli
