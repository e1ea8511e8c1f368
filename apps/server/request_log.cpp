#include "request_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/json_text.h"

namespace diffie::server {
namespace {

std::string quoted(const std::string& text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string now() {
  const auto time = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)), ms.count() % 1000);
}

}  // namespace

void RequestLog::request(const RequestRecord& record) {
  if (!requests_) return;
  std::string line = fmt::format(
      "\"remote\": {}, \"method\": {}, \"path\": {}, \"route\": {}, \"status\": {}, \"ms\": "
      "{:.2f}, "
      "\"bytes_in\": {}, \"bytes_out\": {}, \"sentences\": {}, \"triples\": {}",
      quoted(record.remote), quoted(record.method), quoted(record.path), quoted(record.route),
      record.status, record.seconds * 1e3, record.bytes_in, record.bytes_out, record.sentences,
      record.triples);
  if (!record.code.empty()) line += fmt::format(", \"error\": {}", quoted(record.code));
  if (!record.text.empty()) line += fmt::format(", \"text\": {}", quoted(record.text));
  write(line);
}

void RequestLog::event(const std::string& message) {
  write(fmt::format("\"event\": {}", quoted(message)));
}

void RequestLog::write(const std::string& content) {
  const std::lock_guard lock(mutex_);
  const std::string line =
      fmt::format("{{\"time\": \"{}\", \"id\": {}, {}}}\n", now(), ++number_, content);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = ::write(STDERR_FILENO, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace diffie::server
