// Text in, ranked (subject; relation; object) triples out.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/error.h"
#include "diffie/export.h"
#include "diffie/model.h"
#include "diffie/settings.h"
#include "diffie/stage_times.h"
#include "diffie/text.h"

namespace diffie {

enum class Polarity { kPositive, kNegative };
enum class Modality { kCertain, kPossible, kQuestion, kImperative, kConditional };
// As in JSONL: "negative", "conditional".
DIFFIE_API std::string_view name_of(Polarity polarity);
DIFFIE_API std::string_view name_of(Modality modality);

// Whose claim a triple is.
struct Attribution {
  std::string text;
  std::vector<Span> spans;  // of the sentence's text, ascending, not touching
};

// What the sentence says of the event that a triple names; docs/factuality.md defines the values.
// "The mayor denied that he took bribes" names a taking of bribes: negative, attributed to the
// mayor. A relation that has the negation among its words ("did not sign") is negative, too.
struct Factuality {
  Polarity polarity = Polarity::kPositive;
  Modality modality = Modality::kCertain;
  std::optional<Attribution> attributed_to = {};

  // The writer says that it is so.
  bool asserted() const {
    return polarity == Polarity::kPositive && modality == Modality::kCertain && !attributed_to;
  }
};

enum class CircumstanceKind { kTime, kPlace };
DIFFIE_API std::string_view name_of(CircumstanceKind kind);  // "time", "place"

// A phrase inside a triple that says when or where; docs/reshaping.md says which are found.
struct Circumstance {
  CircumstanceKind kind = CircumstanceKind::kTime;
  std::string text;
  std::vector<Span> spans;  // of the sentence's text, ascending, not touching
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
  Factuality factuality;
  std::vector<Circumstance> circumstances = {};  // in text order; with mark_circumstances
};

struct SentenceResult {
  std::vector<Extraction> extractions;  // by falling confidence
  std::optional<ErrorCode> error;       // this sentence alone failed; its neighbours did not
  std::string error_message;
};

class DIFFIE_API Extractor {
 public:
  // Settings as Model::settings() gives them, perhaps changed; without any: those of the model's
  // default preset. Throws kInvalidArgument for settings that are impossible, or impossible for
  // this model, and kExhausted where the threads cannot be had.
  explicit Extractor(std::shared_ptr<const Model> model);
  Extractor(std::shared_ptr<const Model> model, const Settings& settings);
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;
  ~Extractor();

  // One result per sentence, in input order. On one backend the same seed gives the same result,
  // whatever the batch or the thread count. A sentence that fails says so in its own result; its
  // neighbours are not affected. Safe to call from many threads. Throws kCancelled soon after a
  // stop is asked for.
  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences,
                                      const std::stop_token& stop = {}) const;

  // The same for one sentence.
  SentenceResult extract(std::string_view sentence, const std::stop_token& stop = {}) const;

  // As given, with the number of threads, the device and its GPUs filled in.
  const Settings& settings() const;

  // How many sentences a call is best given where there are many; a GPU wants more. Two or three
  // such calls at a time leave no thread waiting for the last sentence of one.
  std::size_t batch_size() const;

  // What the caller may want to tell, a line each, since this was last asked for: why device auto
  // is the CPU; that memory was short and sentences are taken in smaller groups.
  std::vector<std::string> take_notices() const;

  // Gives back the memory that is kept for calls to come, which get it anew: some megabytes a
  // thread after large calls. Does nothing while a call computes. Safe to call from many threads.
  void release_memory() const;

  // Where the time has gone so far, over all calls and threads; calls under way count in part. The
  // difference of two readings is what lies between them.
  StageTimes stage_times() const;

 private:
  class DIFFIE_HIDDEN Impl;
  std::unique_ptr<Impl> impl_;
};

// Why this device cannot be used, in one line; empty: it can.
DIFFIE_API std::string device_problem(Device device);

}  // namespace diffie
