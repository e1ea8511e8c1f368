// Memory of the GPU for activations, shared by the runners of a backend.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda/memory.h"

namespace diffie::cuda {

// Activations of one group of rows, but for the last three.
template <typename T>
struct Scratch {
  DeviceArray<T> input;
  DeviceArray<T> x;
  DeviceArray<T> y;
  DeviceArray<T> qkv;
  DeviceRoom normed;  // this and the next two are read by products: T, or 8-bit floats
  DeviceRoom attended;
  DeviceRoom middle;
  DeviceArray<T> first_qkv;  // of every state of every token of the context: [.., 3 * hidden]
  DeviceArray<T> means;      // of all rows that are judged: [rows, tags, judge hidden]
  DeviceArray<T> pooled;     // [rows, judge hidden]
};

// So many sets that the GPU is never without work, fewer than there are runners: most of those are
// busy elsewhere. Who finds none waits.
template <typename T>
class ScratchPool {
 public:
  explicit ScratchPool(std::size_t sets) : sets_(sets) {}

  // A set that belongs to a stream until the end of its scope, where the stream has come to its
  // end.
  class Loan {
   public:
    Loan(ScratchPool& pool, const Stream& stream)
        : pool_(pool), stream_(stream), scratch_(pool.take()) {}
    ~Loan() {
      cudaStreamSynchronize(stream_.get());  // where it was left early
      pool_.give_back(std::move(scratch_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    Scratch<T>& operator*() const { return *scratch_; }

   private:
    ScratchPool& pool_;
    const Stream& stream_;
    std::unique_ptr<Scratch<T>> scratch_;
  };

  // Frees the sets that nobody has.
  void release() {
    const std::lock_guard lock(mutex_);
    made_ -= free_.size();
    free_.clear();
  }

 private:
  std::unique_ptr<Scratch<T>> take() {
    std::unique_lock lock(mutex_);
    free_again_.wait(lock, [&] { return !free_.empty() || made_ < sets_; });
    if (free_.empty()) {
      ++made_;
      return std::make_unique<Scratch<T>>();
    }
    std::unique_ptr<Scratch<T>> scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }

  void give_back(std::unique_ptr<Scratch<T>> scratch) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(scratch));
    }
    free_again_.notify_one();
  }

  const std::size_t sets_;
  std::mutex mutex_;
  std::condition_variable free_again_;
  std::vector<std::unique_ptr<Scratch<T>>> free_;
  std::size_t made_ = 0;
};

}  // namespace diffie::cuda
