#include "work_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "batcher.h"
#include "engine/toy_model.h"
#include "temp_dir.h"

namespace diffie::server {
namespace {

class WorkQueueTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const test::TempDir temp;
    test::init_toy_model(temp.path() / "toy", "anchored");
    const auto model = Model::load(temp.path() / "toy");
    Settings settings;
    settings.precision = Precision::kFp32;
    settings.threads = 1;
    first_ = std::make_shared<const Extractor>(model, settings);
    settings.top_k = 1;
    second_ = std::make_shared<const Extractor>(model, settings);
  }
  static void TearDownTestSuite() {
    first_.reset();
    second_.reset();
  }

  static std::shared_ptr<Job> job(std::size_t sentences,
                                  const std::shared_ptr<const Extractor>& extractor,
                                  const std::string& sentence = "Ada left.") {
    ExtractRequest request;
    request.running_text = false;
    request.documents.assign(sentences, {"", sentence});
    return std::make_shared<Job>(std::move(request), extractor, Origin{"toy", "fast"});
  }

  static std::size_t count(const std::vector<WorkQueue::Item>& batch,
                           const std::shared_ptr<Job>& of) {
    return static_cast<std::size_t>(std::count_if(
        batch.begin(), batch.end(), [&](const WorkQueue::Item& item) { return item.job == of; }));
  }

  static std::shared_ptr<const Extractor> first_;
  static std::shared_ptr<const Extractor> second_;
};

std::shared_ptr<const Extractor> WorkQueueTest::first_;
std::shared_ptr<const Extractor> WorkQueueTest::second_;

TEST_F(WorkQueueTest, GivesEverySentenceOnceAndInOrder) {
  WorkQueue queue(1'000'000);
  const std::size_t size = 3 * first_->batch_size() + 1;
  const auto only = job(size, first_);
  ASSERT_TRUE(queue.push(only));
  std::size_t next = 0;
  while (next < size) {
    const auto batch = queue.take();
    ASSERT_LE(batch.size(), first_->batch_size());
    for (const WorkQueue::Item& item : batch) EXPECT_EQ(item.index, next++);
    queue.done(batch);
  }
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(WorkQueueTest, ASentenceDoesNotWaitForABook) {
  WorkQueue queue(1'000'000);
  const auto book = job(10 * first_->batch_size(), first_);
  ASSERT_TRUE(queue.push(book));
  queue.take();
  const auto single = job(1, first_);
  ASSERT_TRUE(queue.push(single));
  EXPECT_EQ(count(queue.take(), single), 1u);
}

TEST_F(WorkQueueTest, RequestsShareABatchEvenly) {
  WorkQueue queue(1'000'000);
  const std::size_t batch_size = first_->batch_size();
  const std::vector<std::shared_ptr<Job>> jobs = {job(batch_size, first_), job(batch_size, first_),
                                                  job(batch_size, first_)};
  for (const auto& each : jobs) ASSERT_TRUE(queue.push(each));
  const auto batch = queue.take();
  for (const auto& each : jobs) {
    EXPECT_GE(count(batch, each), batch_size / 3);
    EXPECT_LE(count(batch, each), batch_size / 3 + 1);
  }
}

// With two books before and behind it, whose batches end evenly, it was passed over for ever.
TEST_F(WorkQueueTest, WhoWaitsForAnotherExtractorHasATurn) {
  for (const std::size_t books : {1, 2, 3}) {
    WorkQueue queue(1'000'000);
    const std::size_t size = 20 * first_->batch_size();
    ASSERT_TRUE(queue.push(job(size, first_)));
    const auto other = job(1, second_);
    ASSERT_TRUE(queue.push(other));
    for (std::size_t book = 1; book < books; ++book) ASSERT_TRUE(queue.push(job(size, first_)));
    std::size_t batches = 1;
    while (count(queue.take(), other) == 0 && batches < 10) ++batches;
    EXPECT_LE(batches, 2u) << books;
  }
}

TEST_F(WorkQueueTest, ABatchHasOneExtractor) {
  WorkQueue queue(1'000'000);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(queue.push(job(3, i % 2 == 0 ? first_ : second_)));
  while (queue.size() > 0) {
    const auto batch = queue.take();
    for (const WorkQueue::Item& item : batch)
      EXPECT_EQ(item.job->extractor(), batch.front().job->extractor());
    queue.done(batch);
  }
}

TEST_F(WorkQueueTest, LongSentencesComeAloneAndOneAtATime) {
  WorkQueue queue(1'000'000);
  const auto slow = job(2, first_, std::string(5000, 'a'));
  const auto quick = job(2, first_);
  ASSERT_TRUE(queue.push(slow));
  ASSERT_TRUE(queue.push(quick));
  const auto first = queue.take();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].job, slow);
  EXPECT_EQ(count(queue.take(), quick), 2u);
  std::atomic<bool> taken = false;
  std::jthread waiting([&] {
    const auto second = queue.take();
    taken = true;
    EXPECT_EQ(count(second, slow), 1u);
  });
  EXPECT_FALSE(taken);
  queue.done(first);
  waiting.join();
  EXPECT_TRUE(taken);
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(WorkQueueTest, ABatchHasItsBytes) {
  WorkQueue queue(1'000'000);
  ASSERT_TRUE(queue.push(job(4 * first_->batch_size(), first_, std::string(2000, 'a'))));
  const auto batch = queue.take();
  EXPECT_GE(batch.size(), 1u);
  EXPECT_LE(batch.size() * 2000, first_->batch_size() * 256 + 2000);
}

TEST_F(WorkQueueTest, IsFullOfManyButNotOfOne) {
  WorkQueue queue(80);
  const auto large = job(300, first_);
  EXPECT_TRUE(queue.push(large));  // counts for 10
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(queue.push(job(20, first_)));
  EXPECT_TRUE(queue.push(job(9, first_)));
  EXPECT_FALSE(queue.push(job(2, first_)));
  EXPECT_TRUE(queue.push(job(1, first_)));
  EXPECT_FALSE(queue.push(job(1, first_)));
  EXPECT_TRUE(queue.push(job(0, first_)));
  EXPECT_EQ(queue.size(), 430u);
  queue.drop(*large);
  EXPECT_EQ(queue.size(), 130u);
  EXPECT_TRUE(queue.push(job(1000, first_)));
}

TEST_F(WorkQueueTest, TakesOneHoweverSmallItIs) {
  WorkQueue queue(1);
  EXPECT_TRUE(queue.push(job(3, first_)));
  EXPECT_FALSE(queue.push(job(1, first_)));
}

TEST_F(WorkQueueTest, StopWakesThoseWhoWait) {
  WorkQueue queue(10);
  std::jthread waiting([&] { EXPECT_TRUE(queue.take().empty()); });
  queue.stop();
}

TEST_F(WorkQueueTest, BatcherCompletesJobsOfAllKinds) {
  WorkQueue queue(1'000'000);
  Metrics metrics;
  std::vector<std::shared_ptr<Job>> jobs;
  std::atomic<std::size_t> ended = 0;
  {
    RequestLog log(false);
    Batcher batcher(queue, metrics, log);
    for (int i = 0; i < 20; ++i) {
      jobs.push_back(job(static_cast<std::size_t>(i % 7) + 1, i % 3 == 0 ? second_ : first_,
                         i % 5 == 0 ? std::string(2100, 'a') : "Ada Lovelace wrote a program."));
      jobs.back()->on_progress([&] {
        ++ended;
        ended.notify_all();
      });
      if (i % 4 == 3) batcher.cancel(*jobs.back());
      ASSERT_TRUE(queue.push(jobs.back()));
    }
    for (std::size_t seen = ended; seen < jobs.size(); seen = ended) ended.wait(seen);
  }
  for (const auto& each : jobs) {
    const Job::Progress progress = each->take();
    EXPECT_TRUE(progress.done);
    if (each->cancelled()) continue;
    EXPECT_FALSE(progress.error.has_value());
    EXPECT_FALSE(progress.bytes.empty());
  }
}

// It is asked by the thread that serves all connections.
TEST_F(WorkQueueTest, WhatThereIsIsSaidWhileMuchIsWritten) {
  using Clock = std::chrono::steady_clock;
  ExtractRequest request;
  request.running_text = false;
  request.format = "ntriples";
  request.documents.assign(50'000, {"", ""});
  Job all(std::move(request), first_, Origin{"toy", "fast"});
  for (std::size_t index = 1; index < all.size(); ++index) all.complete(index, {});
  Clock::duration written{0};
  std::jthread first([&] {
    const auto start = Clock::now();
    all.complete(0, {});
    written = Clock::now() - start;
  });
  Clock::duration longest{0};
  for (bool done = false; !done;) {
    const auto start = Clock::now();
    const Job::Progress progress = all.take();
    longest = std::max(longest, Clock::now() - start);
    done = progress.done;
  }
  first.join();
  EXPECT_LT(longest, written / 2);
}

}  // namespace
}  // namespace diffie::server
