// Text in, ranked (subject; relation; object) triples out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/error.h"
#include "diffie/model.h"
#include "diffie/text.h"
#include "diffie/stage_times.h"
#include "diffie/lab/tag_pool.h"

namespace diffie {

// What is not set comes from the preset, and the preset from the model.
struct ExtractorOptions {
  std::string preset;                    // empty: the model's default; paper, best, balanced, fast
  std::optional<std::int32_t> samples;   // n, tag sequences per sentence, 1..65536
  std::optional<std::int32_t> steps;     // denoising steps, 1..T of the model
  std::optional<std::int32_t> top_k;     // triples per sentence at most, 1..1024
  std::optional<double> tau;             // lenient-match threshold, (0, 1]
  std::optional<std::string> rule;       // longest | relation-runs | all-runs
  std::optional<std::string> selector;   // lenient | frequency | coverage | learned
  std::optional<double> temperature;     // (0, 10]
  std::optional<double> min_confidence;  // [0, 1]
  std::optional<std::string> precision;  // int8 | fp32; int8 needs a model with int8 weights,
                                         // others compute in fp32. Not set: paper fp32, else int8
  std::uint64_t seed = 0;
  std::int32_t threads = 0;   // 0: one per core
  bool pretokenized = false;  // words are the white-space tokens

  // Throws kInvalidArgument naming the field, the value and what is allowed.
  void validate() const;
};

struct Extraction {
  std::string subject;   // the quoted spans, joined by one blank
  std::string relation;  // with its implied words
  std::string object;
  double confidence = 0;             // in (0, 1]
  std::vector<Span> subject_spans;   // of the sentence's text, ascending, not touching
  std::vector<Span> relation_spans;  // none when all its words are implied
  std::vector<Span> object_spans;
  // Words of the relation that do not stand in the text, in reading order: "Paris, the capital"
  // gives (Paris; is; the capital) with {"is"}.
  std::vector<std::string> implied;
};

struct SentenceResult {
  std::vector<Extraction> extractions;  // by falling confidence
  std::optional<ErrorCode> error;       // this sentence alone failed; its neighbours did not
  std::string error_message;
};

class Extractor {
 public:
  explicit Extractor(std::shared_ptr<const Model> model, ExtractorOptions options = {});
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;
  ~Extractor();

  // One result per sentence, in input order. On one backend the same seed gives the same result,
  // whatever the batch or the thread count. Safe to call from many threads.
  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences) const;

  // The same for one sentence.
  SentenceResult extract(std::string_view sentence) const;

  // The samples that extract() would choose from, before anything is chosen, with its promises. A
  // sentence that is empty or too long for the encoder has an empty pool.
  std::vector<TagPool> sample_tags(std::span<const std::string_view> sentences) const;

  // Options with every field filled in from preset and model.
  const ExtractorOptions& options() const;

  // Where the time has gone so far, over all calls and threads; calls under way count in part. The
  // difference of two readings is what lies between them.
  StageTimes stage_times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie
