#include "base/workers.h"

#include <fmt/format.h>

#include <exception>

#include "base/assert.h"
#include "diffie/error.h"

namespace diffie::base {

Workers::Workers(std::size_t num_threads) {
  DIFFIE_ASSERT(num_threads > 0);
  threads_.reserve(num_threads);
  try {
    for (std::size_t worker = 0; worker < num_threads; ++worker) {
      threads_.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::exception& error) {  // no more threads, or no memory for one
    const std::size_t started = threads_.size();
    stop();
    throw Error(ErrorCode::kExhausted, fmt::format("thread {} of {} cannot be started: {}",
                                                   started + 1, num_threads, error.what()));
  }
}

Workers::~Workers() { stop(); }

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_workers_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::parallel_for(std::size_t count,
                           const std::function<void(std::size_t, std::size_t)>& body) {
  if (count == 0) return;
  Job job{.body = body, .count = count};
  std::unique_lock lock(mutex_);
  jobs_.push_back(&job);
  wake_workers_.notify_all();
  job_done_.wait(lock, [&] { return job.done(); });
  if (job.error) std::rethrow_exception(job.error);
}

void Workers::work(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_workers_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;  // stopping
    run_one(worker, lock);
  }
}

// Takes one index of the oldest job. The lock is held on entry and on return.
void Workers::run_one(std::size_t worker, std::unique_lock<std::mutex>& lock) {
  Job& job = *jobs_.front();
  const std::size_t index = job.next++;
  ++job.running;
  if (job.started_all()) jobs_.pop_front();
  lock.unlock();
  std::exception_ptr error;
  try {
    job.body(worker, index);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  --job.running;
  if (error) abandon(job, error);
  if (job.done()) job_done_.notify_all();
}

void Workers::abandon(Job& job, std::exception_ptr error) {
  if (!job.error) job.error = error;
  if (job.started_all()) return;
  job.next = job.count;
  std::erase(jobs_, &job);
}

}  // namespace diffie::base
