#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace diffie::base {

// A fixed set of worker threads. Several callers may use one pool at the same time; their jobs are
// served in turn.
class Workers {
 public:
  // At least 1. Throws kExhausted when the system does not give that many; none is left behind.
  explicit Workers(std::size_t num_threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t size() const { return threads_.size(); }

  // Calls body(worker, index) for every index in [0, count) and returns when all are done; worker
  // is in [0, size()) and runs one call at a time, so it may index scratch memory. Indices are
  // started in rising order. The first exception is thrown again here, after the calls under way
  // have ended; indices not yet started are then skipped.
  void parallel_for(std::size_t count,
                    const std::function<void(std::size_t worker, std::size_t index)>& body);

 private:
  struct Job {
    const std::function<void(std::size_t, std::size_t)>& body;
    std::size_t count = 0;
    std::size_t next = 0;     // first index not started
    std::size_t running = 0;  // calls under way
    std::exception_ptr error = nullptr;

    bool started_all() const { return next == count; }
    bool done() const { return started_all() && running == 0; }
  };

  void work(std::size_t worker);
  void run_one(std::size_t worker, std::unique_lock<std::mutex>& lock);
  void abandon(Job& job, std::exception_ptr error);
  void stop();

  std::mutex mutex_;
  std::condition_variable wake_workers_;
  std::condition_variable job_done_;
  std::deque<Job*> jobs_;  // those with indices not yet started
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace diffie::base
