// What can be said about a score beyond the number: spread, significance and reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/score.h"

namespace diffie {

struct ResamplingOptions {
  std::int32_t replicates = 1000;  // 1..1000000
  double level = 0.95;             // of the intervals, (0, 1)
  std::uint64_t seed = 0;

  // Throws kInvalidArgument naming the field, the value and what is allowed.
  void validate() const;
};

struct Interval {
  double low = 0;
  double high = 0;
};

// Percentile bootstrap over the gold sentences; the best threshold is sought anew in each sample.
struct BootstrapIntervals {
  Interval precision;
  Interval recall;
  Interval f1;
  std::optional<Interval> auc;
};

BootstrapIntervals bootstrap(const Score& score, const ResamplingOptions& options);

struct PairedDifference {
  double difference = 0;                // a minus b
  Interval interval;                    // paired bootstrap
  double bootstrap_p = 1;               // two-sided
  std::optional<double> permutation_p;  // two-sided; F1 only (docs/scoring.md says why)
};

struct Comparison {
  PairedDifference f1;
  std::optional<PairedDifference> auc;
  // Sentences on which a has the larger or the smaller F1, each system at its own best threshold.
  std::size_t sentences_better = 0;
  std::size_t sentences_worse = 0;
};

// Both scores must be of one measure against the same gold (kInvalidArgument).
Comparison compare(const Score& a, const Score& b, const ResamplingOptions& options);

struct PairCredit {
  std::size_t gold = 0;
  std::size_t predicted = 0;
  double precision = 0;
  double recall = 0;
};

// Which prediction met which gold tuple in one sentence, and for what credit.
struct Explanation {
  std::string id;
  std::string sentence;
  std::vector<std::string> gold;            // "(subject; relation; object)"; facts for BenchIE
  std::vector<std::string> predicted;       // likewise, those that count at the threshold
  std::vector<double> confidences;          // of `predicted`
  std::size_t below_threshold = 0;          // predictions left out
  std::vector<PairCredit> precision_pairs;  // whose precision is credited
  std::vector<PairCredit> recall_pairs;     // whose recall is credited
  double precision_sum = 0;
  double recall_sum = 0;
  std::size_t num_predicted = 0;  // what precision_sum is divided by
  std::size_t num_gold = 0;       // what recall_sum is divided by
};

// `sentence` counts from 0 in the order of the gold (kInvalidArgument beyond its end). Predictions
// under `threshold` are left out; none: all count.
Explanation explain(const GoldStandard& gold, const SystemOutput& output, Measure measure,
                    std::size_t sentence, std::optional<double> threshold = std::nullopt);

}  // namespace diffie
