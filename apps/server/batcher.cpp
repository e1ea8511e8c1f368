#include "batcher.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace diffie::server {
namespace {

// While one batch ends, the threads of the engine work on the next.
constexpr std::size_t kBatchesAtOnce = 2;

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

Batcher::Batcher(WorkQueue& queue, Metrics& metrics, RequestLog& log)
    : queue_(queue), metrics_(metrics), log_(log) {
  try {
    for (std::size_t i = 0; i < kBatchesAtOnce; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    queue_.stop();
    throw Error(ErrorCode::kExhausted, "the system gives no more threads");
  }
}

Batcher::~Batcher() {
  queue_.stop();
  const std::lock_guard lock(mutex_);
  for (Running& batch : running_) batch.stop.request_stop();
}

bool Batcher::waited_for(const Running& batch) {
  return std::any_of(batch.items.begin(), batch.items.end(),
                     [](const WorkQueue::Item& item) { return !item.job->cancelled(); });
}

void Batcher::cancel(Job& job) {
  job.cancel();
  queue_.drop(job);
  const std::lock_guard lock(mutex_);
  for (Running& batch : running_) {
    if (!waited_for(batch)) batch.stop.request_stop();
  }
}

void Batcher::work() {
  while (true) {
    std::vector<WorkQueue::Item> items = queue_.take();
    if (items.empty()) return;
    std::unique_lock lock(mutex_);
    const auto batch = running_.insert(running_.end(), Running{std::move(items), {}});
    lock.unlock();
    if (!waited_for(*batch)) batch->stop.request_stop();  // left while it was taken
    run(*batch);
    queue_.done(batch->items);
    lock.lock();
    running_.erase(batch);
  }
}

// No exception leaves it: what goes wrong with a batch is an answer to those who are in it.
void Batcher::run(Running& batch) {
  const auto fail_all = [&](const HttpError& error) {
    for (const WorkQueue::Item& item : batch.items) {
      item.job->fail(error);
      queue_.drop(*item.job);
    }
  };
  try {
    const auto start = Clock::now();
    std::vector<std::string_view> texts;
    for (const WorkQueue::Item& item : batch.items) {
      texts.push_back(item.job->text(item.index));
      if (item.index == 0) metrics_.waited(seconds_between(item.job->created(), start));
    }
    const Extractor& extractor = *batch.items.front().job->extractor();
    std::vector<SentenceResult> results = extractor.extract(texts, batch.stop.get_token());
    for (const std::string& notice : extractor.take_notices()) log_.event(notice);
    for (std::size_t i = 0; i < results.size(); ++i) {
      metrics_.sentence_done(results[i]);
      batch.items[i].job->complete(batch.items[i].index, std::move(results[i]));
    }
    metrics_.batch_done(batch.items.size(), seconds_between(start, Clock::now()));
  } catch (const std::exception& error) {
    fail_all(to_http_error(error, ""));
  }
}

}  // namespace diffie::server
