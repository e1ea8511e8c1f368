// What an engine does where memory is short.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace diffie::engine {

// For std::shared_lock and std::unique_lock. Who wants to be alone is waited for: those who come
// after him stay outside, so that many who come and go do not keep him out for ever.
class Gate {
 public:
  void lock_shared();
  void unlock_shared();
  void lock();
  bool try_lock();  // where nobody is inside now
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t inside_ = 0;
  bool closed_ = false;
};

// The largest group for which there has been memory. Threads: any.
class GroupLimit {
 public:
  std::size_t tokens() const { return tokens_; }

  // Whether there was none before.
  bool lower(std::size_t tokens);

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> tokens_ = kNone;
};

// What the caller is told, once. Threads: any.
class Notices {
 public:
  void add(std::string notice);
  std::vector<std::string> take();  // those since the last time

 private:
  std::mutex mutex_;
  std::vector<std::string> notices_;
};

}  // namespace diffie::engine
