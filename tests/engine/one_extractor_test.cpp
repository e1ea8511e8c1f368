// One extractor, called by many threads at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>

#include "diffie/extractor.h"
#include "engine/same_results.h"
#include "engine/toy_model.h"
#include "temp_dir.h"

namespace diffie {
namespace {

constexpr int kThreads = 16;

std::vector<std::string> sentences_of(int thread) {
  std::vector<std::string> sentences;
  for (int i = 0; i < 5 + thread % 4; ++i) {
    sentences.push_back("Anna number " + std::to_string(17 * thread + i) +
                        " has met the committee of " + std::to_string(i) + " workers in Vienna.");
  }
  if (thread % 5 == 0) sentences.emplace_back("");
  if (thread % 7 == 0) sentences.emplace_back("bad \xFF byte");
  return sentences;
}

class OneExtractor : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { test::init_toy_model(temp_ / "model", GetParam()); }

  static Settings settings(std::int32_t threads) {
    Settings made;
    made.precision = Precision::kFp32;
    made.samples = 8;
    made.steps = 2;
    made.theta = 0.01;
    made.threads = threads;
    return made;
  }

  test::TempDir temp_;
};

// Each thread has its own way: all sentences in one call, one by one, in pairs; each result is that
// of a thread alone. Another one wants the memory back all the time.
TEST_P(OneExtractor, GivesSixteenThreadsWhatOneGets) {
  const auto model = Model::load(temp_ / "model");
  const Extractor alone(model, settings(1));
  std::vector<std::vector<SentenceResult>> wanted;
  for (int thread = 0; thread < kThreads; ++thread) {
    const std::vector<std::string> texts = sentences_of(thread);
    wanted.push_back(alone.extract(std::vector<std::string_view>(texts.begin(), texts.end())));
  }
  for (const std::int32_t workers : {1, 3}) {
    const Extractor shared(model, settings(workers));
    std::vector<std::vector<SentenceResult>> got(kThreads);
    std::barrier start(kThreads);
    std::atomic<bool> done = false;
    std::thread releasing([&] {
      while (!done) {
        shared.release_memory();
        std::this_thread::yield();
      }
    });
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        const std::vector<std::string> texts = sentences_of(thread);
        const std::vector<std::string_view> all(texts.begin(), texts.end());
        const std::size_t at_once = thread % 3 == 0 ? all.size() : thread % 3;
        start.arrive_and_wait();
        for (std::size_t first = 0; first < all.size(); first += at_once) {
          const std::size_t count = std::min(at_once, all.size() - first);
          for (SentenceResult& result : shared.extract(std::span(all).subspan(first, count)))
            got[thread].push_back(std::move(result));
        }
      });
    }
    for (std::thread& each : threads) each.join();
    done = true;
    releasing.join();
    for (int thread = 0; thread < kThreads; ++thread) {
      ASSERT_EQ(got[thread].size(), wanted[thread].size());
      for (std::size_t i = 0; i < got[thread].size(); ++i) {
        EXPECT_EQ(got[thread][i].error, wanted[thread][i].error);
        test::expect_same(got[thread][i], wanted[thread][i]);
      }
    }
  }
}

// Extractors with other settings on the same model, made and used and destroyed at the same time;
// the first of them pack the weights.
TEST_P(OneExtractor, SharesItsModelWithOthers) {
  const auto model = Model::load(temp_ / "model");
  const std::vector<std::string> texts = sentences_of(3);
  const std::vector<std::string_view> all(texts.begin(), texts.end());
  std::vector<std::vector<SentenceResult>> got(kThreads);
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Settings made = settings(1 + thread % 2);
      if (thread % 4 == 1) made.precision = Precision::kInt8;
      if (thread % 4 == 2) made.top_k = 1;
      start.arrive_and_wait();
      got[thread] = Extractor(model, made).extract(all);
    });
  }
  for (std::thread& each : threads) each.join();
  for (int thread = 4; thread < kThreads; ++thread)
    for (std::size_t i = 0; i < all.size(); ++i)
      test::expect_same(got[thread][i], got[thread % 4][i]);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OneExtractor, testing::Values("uniform", "anchored"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace diffie
