#include "request_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/json_text.h"
#include "diffie/error.h"

namespace diffie::server {
namespace {

constexpr std::size_t kRoom = std::size_t{4} << 20;  // bytes that wait to be written
constexpr std::chrono::seconds kEnd{2};              // for what waits in the end

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

std::string event_content(const std::string& message) {
  return fmt::format("\"event\": {}", quoted(message));
}

// Whole lines as far as a pipe takes them at once: so they are not mixed with those of others, and
// where there is room for anything, there is room for all of it.
std::size_t portion(std::string_view text) {
  if (text.size() <= PIPE_BUF) return text.size();
  const std::size_t end = text.rfind('\n', PIPE_BUF - 1);
  return end == std::string_view::npos ? PIPE_BUF : end + 1;
}

}  // namespace

// What waits to be written. Its thread may hang in the system's write() when the log ends, and is
// left there then, with this.
class RequestLog::Writer {
 public:
  // One that is larger than all the room is taken where nothing else waits.
  void add(const std::string& content) {
    const std::lock_guard lock(mutex_);
    const std::string line = this->line(content);
    if (!waiting_.empty() && waiting_.size() + line.size() > kRoom) {
      ++lost_;
    } else {
      waiting_ += line;
      changed_.notify_all();
    }
  }

  // False: nobody takes what is there.
  bool end() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, kEnd, [this] { return ended_; });
  }

  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);  // that of a pipe nobody reads, too
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) break;
      std::string text = std::exchange(waiting_, {});
      if (lost_ > 0) {
        text += line(event_content(fmt::format("{} lines of the log are lost here", lost_)));
        lost_ = 0;
      }
      lock.unlock();
      write(text);
      lock.lock();
    }
    ended_ = true;
    changed_.notify_all();
  }

 private:
  std::string line(const std::string& content) {
    return fmt::format("{{\"time\": \"{}\", \"id\": {}, {}}}\n", now(), ++number_, content);
  }

  static void write(std::string_view text) {
    while (!text.empty()) {
      pollfd log{STDERR_FILENO, POLLOUT, 0};  // it may be one that does not wait
      if (::poll(&log, 1, -1) < 0 && errno != EINTR) return;
      const ssize_t written = ::write(STDERR_FILENO, text.data(), portion(text));
      if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (written <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  std::uint64_t number_ = 0;
  std::size_t lost_ = 0;
  bool ending_ = false;
  bool ended_ = false;
};

RequestLog::RequestLog(bool requests) : requests_(requests), writer_(std::make_shared<Writer>()) {
  try {
    thread_ = std::thread([writer = writer_] { writer->run(); });
  } catch (const std::system_error&) {
    throw Error(ErrorCode::kExhausted, "the system gives no more threads");
  }
}

RequestLog::~RequestLog() {
  if (writer_->end()) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

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
  writer_->add(line);
}

void RequestLog::event(const std::string& message) { writer_->add(event_content(message)); }

}  // namespace diffie::server
