// Memory and threads that fail at every place where they are asked for: the C interface says
// DIFFIE_EXHAUSTED, nothing is left behind, and the same call then succeeds.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "capi/capi_fixture.h"
#include "corrupt/victim.h"
#include "faults/failing.h"

namespace diffie {
namespace {

using test::ExtractorHandle;
using test::FailingAllocation;
using test::FailingThread;
using test::ModelHandle;
using test::ResultHandle;
using test::SettingsHandle;

constexpr std::string_view kSentence = "the s the, the s.";

std::size_t num_threads() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

// One that was joined may be listed for a moment.
void expect_threads(std::size_t wanted, const char* what) {
  for (int tries = 0; tries < 200 && num_threads() > wanted; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(num_threads(), wanted) << what;
}

class Faults : public testing::Test {
 protected:
  ModelHandle load() {
    diffie_model* model = nullptr;
    status_ = diffie_model_load(path_.c_str(), &model);
    return ModelHandle(model);
  }

  ExtractorHandle extractor(const diffie_model* model, const char* threads) {
    diffie_settings* settings = nullptr;
    status_ = diffie_settings_new(model, nullptr, &settings);
    const SettingsHandle owned(settings);
    if (status_ != DIFFIE_OK) return nullptr;
    status_ = diffie_settings_set(settings, "threads", threads);
    if (status_ != DIFFIE_OK) return nullptr;
    diffie_extractor* made = nullptr;
    status_ = diffie_extractor_new(model, settings, &made);
    return ExtractorHandle(made);
  }

  // Of the sentence, where the call succeeds.
  std::size_t num_triples(const diffie_extractor* extractor) {
    diffie_result* result = nullptr;
    status_ = diffie_extract(extractor, kSentence.data(), kSentence.size(), &result);
    const ResultHandle owned(result);
    diffie_sentence sentence{};
    sentence.struct_size = sizeof sentence;
    if (status_ == DIFFIE_OK) {
      EXPECT_EQ(diffie_result_sentence(result, 0, &sentence), DIFFIE_OK);
      status_ = sentence.status;
    }
    return sentence.extraction_count;
  }

  // The call with the k-th allocation failing, for all k that it has; every `retry_every`-th time
  // it is made again after that.
  void fail_everywhere(const char* what, bool lasting, const std::function<void()>& call,
                       std::size_t retry_every = 1) {
    const std::size_t threads = num_threads();
    std::size_t failures = 0;
    for (std::size_t k = 0;; ++k) {
      bool happened = false;
      {
        const FailingAllocation fault(k, lasting);
        call();
        happened = fault.happened();
      }
      if (!happened) break;
      ++failures;
      // What fails in one place may be done in another way: then the call succeeds.
      ASSERT_TRUE(status_ == DIFFIE_EXHAUSTED || (status_ == DIFFIE_OK && !lasting))
          << what << ", allocation " << k << ": " << diffie_status_name(status_) << ": "
          << diffie_last_error();
      if (failures % retry_every == 0) {
        call();
        ASSERT_EQ(status_, DIFFIE_OK) << what << " after " << k << ": " << diffie_last_error();
      }
    }
    EXPECT_EQ(status_, DIFFIE_OK) << what;
    expect_threads(threads, "a thread is left behind");
    EXPECT_GT(failures, 0u);
    RecordProperty(what, static_cast<int>(failures));
  }

  test::Victim victim_;
  std::string path_ = victim_.path().string();
  diffie_status status_ = DIFFIE_OK;
};

TEST_F(Faults, LoadingWithoutMemory) {
  ASSERT_NE(load(), nullptr) << diffie_last_error();
  fail_everywhere(
      "load", false, [&] { load(); }, 16);
  fail_everywhere(
      "load_lasting", true, [&] { load(); }, 16);
}

TEST_F(Faults, ExtractorsWithoutMemory) {
  const ModelHandle model = load();
  ASSERT_NE(model, nullptr) << diffie_last_error();
  fail_everywhere("extractor", false, [&] { extractor(model.get(), "2"); });
  const ModelHandle anew = load();  // the first extractor of a model packs its weights
  fail_everywhere("packing", true, [&] { extractor(anew.get(), "1"); });
}

TEST_F(Faults, ExtractionWithoutMemory) {
  const ModelHandle model = load();
  const ExtractorHandle made = extractor(model.get(), "2");
  ASSERT_NE(made, nullptr) << diffie_last_error();
  const std::size_t triples = num_triples(made.get());
  ASSERT_EQ(status_, DIFFIE_OK) << diffie_last_error();
  ASSERT_GT(triples, 0u);
  const auto extract = [&] {
    const std::size_t found = num_triples(made.get());
    if (status_ == DIFFIE_OK) {
      EXPECT_EQ(found, triples) << "the same as before all faults";
    }
  };
  fail_everywhere("extract", false, extract);
  fail_everywhere("extract_lasting", true, extract);
}

TEST_F(Faults, SentencesWithoutMemory) {
  const std::string text = "One sentence. Another one, e.g. this.\n\n- A list\n- of two";
  fail_everywhere("sentences", false, [&] {
    diffie_span* spans = nullptr;
    std::size_t count = 0;
    status_ = diffie_split_sentences(text.data(), text.size(), &spans, &count);
    if (status_ == DIFFIE_OK) {
      EXPECT_EQ(count, 4u);
    }
    diffie_spans_free(spans);
  });
}

TEST_F(Faults, ThreadsThatTheSystemRefuses) {
  const ModelHandle model = load();
  ASSERT_NE(model, nullptr);
  const std::size_t threads = num_threads();
  for (std::size_t k = 0; k < 5; ++k) {
    bool happened = false;
    {
      const FailingThread fault(k);
      const ExtractorHandle made = extractor(model.get(), "5");
      EXPECT_EQ(made, nullptr);
      happened = fault.happened();
    }
    EXPECT_TRUE(happened) << k;
    EXPECT_EQ(status_, DIFFIE_EXHAUSTED) << diffie_last_error();
    EXPECT_NE(std::string(diffie_last_error()).find("cannot be started"), std::string::npos);
    expect_threads(threads, "those that were started have ended");
  }
  const ExtractorHandle made = extractor(model.get(), "5");
  ASSERT_NE(made, nullptr) << diffie_last_error();
  num_triples(made.get());
  EXPECT_EQ(status_, DIFFIE_OK);
}

}  // namespace
}  // namespace diffie
