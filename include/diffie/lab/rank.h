// Training a ranker, the learned part of selection, from pools and gold triples. docs/selection.md
// says what it learns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/data.h"
#include "diffie/lab/tag_pool.h"
#include "diffie/settings.h"

namespace diffie {

// Pools of one model and number of steps. The model must not have seen the sentences' triples:
// what it has learnt by heart would look right more often than it is.
struct RankPool {
  std::string name;
  std::vector<TagPool> sentences;
};

struct RankOptions {
  std::vector<std::int32_t> samples = {0};  // n per pool, each a training example; 0: all of it
  Rule rule = Rule::kAllRuns;
  bool tidy = false;  // the setting of that name, as the presets will have it
  std::int32_t trees = 150;
  std::int32_t depth = 5;
  double rate = 0.08;
  double exactness = 2;       // what an exact wording is worth beside credit for its words
  double exact_bonus = 0.3;   // the same in a triple's worth
  double recall_limit = 0.7;  // of the credit for recall in a triple's worth
  // A triple is right, which is what its confidence is the probability of, when it has at least
  // this lenient F1 with a gold fact that no triple ranked before it was right for.
  double right_f1 = 0.7;
  std::int32_t schema = 0;        // of the features; 0: 2 where a pool is judged, else 1
  std::string walk = "coverage";  // how facts are found: coverage or judged
  std::int32_t folds = 3;         // for the figures on sentences not trained on
  std::uint64_t seed = 0;
  std::int32_t threads = 0;  // 0: one per core

  // Throws kInvalidArgument naming the field, the value and what is allowed.
  void validate() const;
};

// A confidence interval [low, high) of the reliability diagram.
struct ReliabilityBin {
  double low = 0;
  double high = 0;
  std::size_t count = 0;
  double confidence = 0;  // mean
  double right = 0;       // share
};

struct Reliability {
  std::vector<ReliabilityBin> bins;
  double error = 0;  // expected calibration error: mean over triples of |confidence - right| by bin
};

// How a selector fares on the training sentences; the ranker by cross-fitting.
struct RankRow {
  std::string pool;
  std::int32_t samples = 0;
  std::string selector;
  double carb_f1 = 0;
  double carb_auc = 0;
  double carb_1_1_f1 = 0;
  double strict_f1 = 0;         // all three slots equal, at the best threshold
  double strict_threshold = 0;  // that one: the lowest confidence that is shown
};

struct RankResult {
  std::string ranker;  // ranker.json
  std::size_t num_sentences = 0;
  std::size_t num_wordings = 0;  // training examples
  std::size_t num_facts = 0;
  std::int32_t schema = 0;
  std::vector<RankRow> rows;
  Reliability reliability;  // of each fold by a ranker that has not seen it
};

// The same pools, gold and options give the same bytes, whatever the threads. Sentences without
// gold or samples are left out; throws kBadInput when none is left.
RankResult train_ranker(std::span<const RankPool> pools, std::span<const data::Row> gold,
                        const RankOptions& options);

// What the presets of a model become when they use its ranker.
struct LearnedPresets {
  std::vector<std::string> names = {"best", "balanced", "fast"};
  std::int32_t top_k = 12;
  double min_confidence = 0;
  std::int32_t judged = 0;  // a ranker of schema 2 reads what the judge says
};

// Copies a ranker into a model directory, makes the presets use it and writes SHA256SUMS anew. The
// ranker is checked first; throws as reading a model and a ranker does, and kInvalidArgument for a
// preset that the model does not have.
void install_ranker(const std::filesystem::path& model_dir, const std::filesystem::path& ranker,
                    const LearnedPresets& presets);

std::string rank_text(const RankResult& result);

}  // namespace diffie
