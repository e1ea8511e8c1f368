#include "work_queue.h"

#include <algorithm>

namespace diffie::server {

bool WorkQueue::push(const std::shared_ptr<Job>& job) {
  {
    const std::lock_guard lock(mutex_);
    if (num_sentences_ > 0 && num_sentences_ + job->size() > max_sentences_) return false;
    if (job->size() == 0) return true;
    waiting_.push_back({job, 0});
    num_sentences_ += job->size();
  }
  wake_.notify_all();
  return true;
}

std::vector<WorkQueue::Item> WorkQueue::take() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
  if (stopping_) return {};
  const std::shared_ptr<const Extractor> extractor = waiting_.front().job->extractor();
  const std::size_t batch_size = extractor->batch_size();
  std::vector<Item> batch;
  // Each turn moves those who had theirs to the back, so the next batch begins with the others.
  while (batch.size() < batch_size) {
    const std::size_t before = batch.size();
    for (std::size_t turn = waiting_.size(); turn > 0 && batch.size() < batch_size; --turn) {
      Waiting each = std::move(waiting_.front());
      waiting_.pop_front();
      if (each.job->extractor() == extractor) batch.push_back({each.job, each.next++});
      if (each.left() > 0) waiting_.push_back(std::move(each));
    }
    if (batch.size() == before) break;
  }
  num_sentences_ -= batch.size();
  if (!waiting_.empty()) wake_.notify_one();
  return batch;
}

void WorkQueue::drop(const Job& job) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Waiting& each) {
    if (each.job.get() != &job) return false;
    num_sentences_ -= each.left();
    return true;
  });
}

void WorkQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
    num_sentences_ = 0;
  }
  wake_.notify_all();
}

std::size_t WorkQueue::size() const {
  const std::lock_guard lock(mutex_);
  return num_sentences_;
}

}  // namespace diffie::server
