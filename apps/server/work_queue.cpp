#include "work_queue.h"

#include <algorithm>
#include <iterator>

namespace diffie::server {

std::size_t WorkQueue::weight(std::size_t sentences) const {
  return std::min(sentences, std::max<std::size_t>(max_sentences_ / 8, 1));
}

bool WorkQueue::push(const std::shared_ptr<Job>& job) {
  if (job->size() == 0) return true;
  {
    const std::lock_guard lock(mutex_);
    std::size_t total = weight(job->size());
    for (const Waiting& each : waiting_) total += weight(each.left());
    if (total > max_sentences_) return false;
    waiting_.push_back({job, 0});
    num_sentences_ += job->size();
  }
  wake_.notify_all();
  return true;
}

std::deque<WorkQueue::Waiting>::iterator WorkQueue::first_turn() {
  return std::find_if(waiting_.begin(), waiting_.end(),
                      [&](const Waiting& each) { return may_begin(each); });
}

std::vector<WorkQueue::Item> WorkQueue::take() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return stopping_ || first_turn() != waiting_.end(); });
  if (stopping_) return {};
  const auto first = first_turn();
  std::vector<Item> batch;
  if (first->is_long()) {
    ++num_long_;
    Waiting each = std::move(*first);
    waiting_.erase(first);
    batch.push_back({each.job, each.next++});
    if (each.left() > 0) waiting_.push_back(std::move(each));
  } else {
    batch = fill(*first->job->extractor());
  }
  num_sentences_ -= batch.size();
  if (!waiting_.empty()) wake_.notify_one();
  return batch;
}

// Of those that wait for this extractor one sentence each, in turns while there is room.
std::vector<WorkQueue::Item> WorkQueue::fill(const Extractor& extractor) {
  const std::size_t batch_size = extractor.batch_size();
  std::size_t room = batch_size * kMeanBytes;
  std::vector<Item> batch;
  std::deque<Waiting> others;  // without a turn so far
  std::deque<Waiting> served;  // the one whose turn is longest ago first
  const auto serve = [&](Waiting each, std::deque<Waiting>& left_out) {
    const bool fits = batch.size() < batch_size && (each.bytes() <= room || batch.empty());
    if (each.job->extractor().get() != &extractor || each.is_long() || !fits) {
      left_out.push_back(std::move(each));
      return;
    }
    room -= std::min(room, each.bytes());
    batch.push_back({each.job, each.next++});
    if (each.left() > 0) served.push_back(std::move(each));
  };
  for (Waiting& each : waiting_) serve(std::move(each), others);
  std::deque<Waiting> ended;  // served, but there is no room for their next
  while (!served.empty()) {
    Waiting each = std::move(served.front());
    served.pop_front();
    serve(std::move(each), ended);
  }
  waiting_ = std::move(others);
  std::move(ended.begin(), ended.end(), std::back_inserter(waiting_));
  return batch;
}

void WorkQueue::done(const std::vector<Item>& batch) {
  {
    const std::lock_guard lock(mutex_);
    for (const Item& item : batch) {
      if (item.job->text(item.index).size() > kLongBytes) --num_long_;
    }
  }
  wake_.notify_all();
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
