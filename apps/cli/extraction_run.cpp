#include "extraction_run.h"

#include <fmt/format.h>

#include <deque>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "messages.h"
#include "progress.h"

namespace diffie::cli {
namespace {

// Enough that the workers have something to do while a batch that is done is written.
constexpr std::size_t kBatchesAtOnce = 3;

struct Batch {
  std::vector<InputStep> steps;
  std::vector<SentenceResult> replayed;  // of its first sentences, from the journal
  std::vector<std::string_view> texts;   // of the others
  std::future<std::vector<SentenceResult>> results;
};

class Loop {
 public:
  explicit Loop(const ExtractionRun& run) : run_(run) {}

  void go() {
    const std::size_t batch_size = run_.extractor.batch_size();
    while (true) {
      // What is being extracted is not kept back by waiting for input.
      std::vector<InputStep> steps;
      if (batches_.empty()) {
        steps = run_.reader.next(batch_size);
        if (steps.empty()) break;
      } else if (batches_.size() < kBatchesAtOnce) {
        steps = run_.reader.next_if_ready(batch_size);
      }
      if (steps.empty()) {
        finish_batch();
      } else {
        start_batch(std::move(steps));
      }
    }
    run_.writer.finish();
  }

 private:
  void start_batch(std::vector<InputStep> steps) {
    Batch& batch = batches_.emplace_back();
    batch.steps = std::move(steps);
    for (const InputStep& step : batch.steps) {
      if (step.kind != InputStep::Kind::kSentence || !step.error.empty()) continue;
      std::optional<SentenceResult> known;
      if (run_.journal != nullptr) known = run_.journal->replay(step.text);
      if (known) {
        batch.replayed.push_back(std::move(*known));
      } else {
        batch.texts.emplace_back(step.text);
      }
    }
    if (batch.texts.empty()) return;
    const auto extract = [&batch, this] { return run_.extractor.extract(batch.texts); };
    try {
      batch.results = std::async(std::launch::async, extract);
    } catch (const std::system_error&) {  // no thread to be had: when its turn comes, then
      batch.results = std::async(std::launch::deferred, extract);
    }
  }

  void finish_batch() {
    Batch& batch = batches_.front();
    std::vector<SentenceResult> results = std::move(batch.replayed);
    if (batch.results.valid()) {
      std::vector<SentenceResult> extracted = batch.results.get();
      tell_notices(run_.extractor);
      check_model(extracted);
      if (run_.journal != nullptr) run_.journal->append(batch.texts, extracted);
      for (SentenceResult& result : extracted) results.push_back(std::move(result));
    }
    std::size_t next = 0;
    for (const InputStep& step : batch.steps) {
      text_bytes_ += step.text_bytes();
      switch (step.kind) {
        case InputStep::Kind::kBegin:
          document_ = step.text;
          run_.writer.begin_document(document_);
          break;
        case InputStep::Kind::kText:
          run_.writer.add_text(step.text, step.character);
          break;
        case InputStep::Kind::kSentence:
          write(step, step.error.empty() ? results[next++] : failure(step));
          ++num_sentences_;
          break;
        case InputStep::Kind::kEnd:
          run_.writer.end_document(step.text);
          break;
      }
    }
    run_.output.flush();
    progress_.update(num_sentences_, run_.reader.bytes_done(text_bytes_),
                     run_.reader.bytes_total());
    batches_.pop_front();
  }

  // A model that can be read no longer is no fault of a sentence: the run ends, and what is resumed
  // later asks again.
  static void check_model(const std::vector<SentenceResult>& results) {
    for (const SentenceResult& result : results) {
      if (result.error == ErrorCode::kCorruptModel || result.error == ErrorCode::kNotFound)
        throw Error(*result.error, result.error_message);
    }
  }

  // Of a sentence that the reader did not read whole.
  static SentenceResult failure(const InputStep& step) {
    return {{}, ErrorCode::kBadInput, step.error};
  }

  void write(const InputStep& step, const SentenceResult& result) {
    DocumentSentence sentence;
    sentence.text = step.text;
    sentence.index = step.index;
    sentence.bytes = step.bytes;
    sentence.character = step.character;
    sentence.gap = step.gap;
    run_.writer.add(sentence, result);
    if (!result.error) return;
    run_.diagnostics.bad_input(fmt::format("{}: sentence at byte {}: {}", document_,
                                           step.bytes.begin, result.error_message));
  }

  const ExtractionRun& run_;
  std::deque<Batch> batches_;  // in the order of the input; the first one is finished first
  std::string document_;       // of the step last written
  std::uint64_t num_sentences_ = 0;
  std::uint64_t text_bytes_ = 0;  // of the input, that are done with
  Progress progress_;
};

}  // namespace

void tell_notices(const Extractor& extractor) {
  for (const std::string& notice : extractor.take_notices()) tell(notice);
}

void extract_all(const ExtractionRun& run) { Loop(run).go(); }

}  // namespace diffie::cli
