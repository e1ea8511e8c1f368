// Many settings of selection scored from one pool of samples: nothing is sampled twice.
// docs/sweep.md describes the table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/score.h"
#include "diffie/lab/tag_pool.h"
#include "diffie/settings.h"

namespace diffie {

// A grid: every value of an axis with every value of the others. An axis that a selector does not
// read (tau: lenient only; power and wording: coverage only) does not multiply its points.
struct SweepAxes {
  std::vector<std::int32_t> samples = {0};  // n; 0: all that the pool has
  std::vector<std::int32_t> top_k = {4};
  std::vector<double> tau = {0.9};
  std::vector<double> power = {2};
  std::vector<double> wording = {0};
  std::vector<double> min_confidence = {0};
  std::vector<Rule> rule = {Rule::kLongest};
  std::vector<SelectorKind> selector = {SelectorKind::kLenient};
};

struct SweepOptions {
  SweepAxes axes;
  std::string ranker;   // file, for the selector `learned`
  bool oracle = false;  // a point more per (n, rule): what the best choice would reach
  bool tidy = false;    // the setting of that name
  bool explicit_only = false;
  std::uint64_t seed = 0;    // of the subsets
  std::int32_t repeats = 1;  // subsets per n below the pool's size, 1..1000
  std::int32_t threads = 0;  // 0: one per core

  // Throws kInvalidArgument naming the axis, the value and what is allowed.
  void validate() const;
};

struct SweepPoint {
  std::optional<SelectorKind> selector;  // none: the oracle
  Rule rule = Rule::kLongest;
  std::int32_t samples = 0;  // n
  std::optional<std::int32_t> top_k;
  std::optional<double> tau;  // none, here and below: not read by the selector
  std::optional<double> power;
  std::optional<double> wording;
  std::optional<double> min_confidence;

  std::string selector_name() const;  // as in config.json, or "oracle"
  std::string rule_name() const;
};

// A pool file: the sentences of one model, seed and number of steps.
struct SweepPool {
  std::string label;  // pools of one label are averaged
  std::string name;
  std::vector<TagPool> sentences;
};

// One per measure; the same file may be read differently by two measures.
struct SweepGold {
  Measure measure = Measure::kCarb;
  GoldStandard gold;
};

struct Spread {
  double mean = 0;
  std::optional<double> deviation;  // sample deviation (n - 1); none where there is one value
};

struct SweepScore {
  Spread precision;
  Spread recall;
  Spread f1;
  std::optional<Spread> auc;  // the CaRB family only
};

struct SweepRow {
  std::string label;
  std::string pool;      // its name; empty: over the pools of the label
  std::size_t runs = 1;  // subsets, or pools, that the spread is over
  SweepPoint point;
  std::vector<SweepScore> scores;  // as SweepTable::measures
};

struct SweepTable {
  std::vector<Measure> measures;
  // Pools in their order, the points of each in grid order; then, for every label of several
  // pools, the mean of the pools' means.
  std::vector<SweepRow> rows;
};

// Scores equal those of the same tag sequences through `diffie extract --format jsonl` and
// `diffie score`. A subset of n samples is drawn without replacement and contains the smaller ones
// of the same repeat; it depends on the seed, the repeat and the sentence's text alone. Throws
// kInvalidArgument where a pool has fewer samples than are asked for, and kBadInput where its
// sentences have different numbers of samples (none at all is allowed) or none of them has gold.
SweepTable run_sweep(std::span<const SweepPool> pools, std::span<const SweepGold> golds,
                     const SweepOptions& options);

// The table with all its columns, tab-separated, scores in per cent with four decimals.
std::string sweep_tsv(const SweepTable& table);

// ---- What the samples look like

// Shares are of samples, tokens are words; roles in the order subject, relation, object.
struct PoolStatistics {
  std::size_t num_sentences = 0;  // that have samples
  std::uint64_t num_samples = 0;
  double distinct_per_sentence = 0;  // tag sequences
  double no_triple = 0;              // a role is absent
  double discontinuous = 0;          // a role has two runs or more
  std::array<double, 3> discontinuous_by_role{};
  double discarded_when_discontinuous = 0;  // tokens outside the longest runs, per such sample
  double discarded = 0;                     // per sample
};

PoolStatistics pool_statistics(std::span<const TagPool> pools);

}  // namespace diffie
