#include "base/thread_pool.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/assert.h"

namespace diffie::base {
namespace {

struct Job {
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::size_t count = 0;
  std::size_t next = 0;     // first index not started
  std::size_t running = 0;  // calls under way
  std::exception_ptr error;

  bool started_all() const { return next == count; }
  bool done() const { return started_all() && running == 0; }
};

}  // namespace

class ThreadPool::Impl {
 public:
  explicit Impl(std::size_t num_threads) {
    for (std::size_t worker = 0; worker < num_threads; ++worker) {
      threads_.emplace_back([this, worker] { work(worker); });
    }
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_workers_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t size() const { return threads_.size(); }

  void run(Job& job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    wake_workers_.notify_all();
    job_done_.wait(lock, [&] { return job.done(); });
    if (job.error) std::rethrow_exception(job.error);
  }

 private:
  void work(std::size_t worker) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_workers_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;  // stopping
      run_one(worker, lock);
    }
  }

  // Takes one index of the oldest job. The lock is held on entry and on return.
  void run_one(std::size_t worker, std::unique_lock<std::mutex>& lock) {
    Job& job = *jobs_.front();
    const std::size_t index = job.next++;
    ++job.running;
    if (job.started_all()) jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job.body)(worker, index);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --job.running;
    if (error) abandon(job, error);
    if (job.done()) job_done_.notify_all();
  }

  void abandon(Job& job, std::exception_ptr error) {
    if (!job.error) job.error = error;
    if (job.started_all()) return;
    job.next = job.count;
    std::erase(jobs_, &job);
  }

  std::mutex mutex_;
  std::condition_variable wake_workers_;
  std::condition_variable job_done_;
  std::deque<Job*> jobs_;  // those with indices not yet started
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

ThreadPool::ThreadPool(std::size_t num_threads) : impl_(std::make_unique<Impl>(num_threads)) {
  DIFFIE_ASSERT(num_threads > 0);
}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::size() const { return impl_->size(); }

void ThreadPool::parallel_for(std::size_t count,
                              const std::function<void(std::size_t, std::size_t)>& body) {
  if (count == 0) return;
  Job job;
  job.body = &body;
  job.count = count;
  impl_->run(job);
}

}  // namespace diffie::base
