#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace diffie::base {

// A fixed set of worker threads. Several callers may use one pool at the same time; their jobs are
// served in turn.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t num_threads);  // at least 1
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const;

  // Calls body(worker, index) for every index in [0, count) and returns when all are done; worker
  // is in [0, size()) and runs one call at a time, so it may index scratch memory. Indices are
  // started in rising order. The first exception is thrown again here, after the calls under way
  // have ended; indices not yet started are then skipped.
  void parallel_for(std::size_t count,
                    const std::function<void(std::size_t worker, std::size_t index)>& body);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie::base
