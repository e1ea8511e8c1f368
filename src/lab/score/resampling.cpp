// Bootstrap intervals and paired tests. The sentences are what is drawn: tuples of one sentence
// depend on each other.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "diffie/error.h"
#include "diffie/lab/score_report.h"
#include "lab/score/curve.h"
#include "lab/score/pair_score.h"

namespace diffie {
namespace {

// SplitMix64: the same numbers on every machine, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  // In [0, limit); the bias of 2^-64 * limit does not matter here.
  std::size_t below(std::size_t limit) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(static_cast<Wide>(next()) * limit >> 64);
  }

 private:
  std::uint64_t state_;
};

// How often each of `size` sentences is drawn in a sample of that size.
void draw(Random& random, std::vector<std::uint32_t>& counts) {
  std::fill(counts.begin(), counts.end(), 0u);
  for (std::size_t i = 0; i < counts.size(); ++i) ++counts[random.below(counts.size())];
}

std::vector<double> thresholds_of(const Score& score) {
  if (!has_curve(score.measure)) return {0};
  std::vector<double> thresholds;
  for (const CurvePoint& point : score.curve) thresholds.push_back(point.confidence);
  return thresholds;
}

score::Summary resampled(const Score& score, std::span<const double> thresholds,
                         std::span<const std::uint32_t> counts) {
  const double empty_precision = has_curve(score.measure) ? 1 : 0;
  return score::summarize(score::make_curve(score.sentences, thresholds, counts, empty_precision));
}

// Linear between the order statistics.
double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

Interval interval_of(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  return {quantile(values, (1 - level) / 2), quantile(values, (1 + level) / 2)};
}

// Twice the share of samples in which the difference has the other sign or none.
double two_sided_p(const std::vector<double>& differences) {
  const auto not_above = std::count_if(differences.begin(), differences.end(),
                                       [](double value) { return value <= 0; });
  const auto not_below = std::count_if(differences.begin(), differences.end(),
                                       [](double value) { return value >= 0; });
  const auto fewer = static_cast<double>(std::min(not_above, not_below));
  return std::min(1.0, 2 * (fewer + 1) / (static_cast<double>(differences.size()) + 1));
}

PairedDifference paired(double difference, const std::vector<double>& samples, double level) {
  return {difference, interval_of(samples, level), two_sided_p(samples), std::nullopt};
}

// What a sentence adds at one threshold, kept fixed.
struct Share {
  double precision_sum = 0;
  double num_predicted = 0;
  double recall_sum = 0;

  Share& operator+=(const Share& other) {
    precision_sum += other.precision_sum;
    num_predicted += other.num_predicted;
    recall_sum += other.recall_sum;
    return *this;
  }
  double f1(double num_gold) const {
    const double precision = num_predicted > 0 ? precision_sum / num_predicted : 0;
    return score::f1(precision, num_gold > 0 ? recall_sum / num_gold : 0);
  }
};

// Each sentence at the threshold where the system as a whole is best.
std::vector<Share> shares_at_best(const Score& score) {
  const std::vector<double> thresholds = thresholds_of(score);
  const double best = score.optimal_threshold.value_or(thresholds.empty() ? 0 : thresholds[0]);
  const auto place = static_cast<std::size_t>(
      std::lower_bound(thresholds.begin(), thresholds.end(), best) - thresholds.begin());
  std::vector<Share> shares;
  for (const SentenceScore& sentence : score.sentences) {
    const auto step =
        std::find_if(sentence.steps.begin(), sentence.steps.end(),
                     [&](const SentenceStep& candidate) { return candidate.threshold >= place; });
    shares.push_back(step == sentence.steps.end()
                         ? Share{}
                         : Share{step->precision_sum, step->num_predicted, step->recall_sum});
  }
  return shares;
}

// Approximate randomisation: under the null hypothesis the two systems' outputs for a sentence
// could change places.
double permutation_p(const std::vector<Share>& a, const std::vector<Share>& b, double num_gold,
                     const ResamplingOptions& options) {
  const auto difference = [&](Random* random) {
    Share sum_a;
    Share sum_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool swap = random != nullptr && random->next() >> 63 != 0;
      sum_a += swap ? b[i] : a[i];
      sum_b += swap ? a[i] : b[i];
    }
    return std::abs(sum_a.f1(num_gold) - sum_b.f1(num_gold));
  };
  const double observed = difference(nullptr);
  Random random(options.seed ^ 0x5DEECE66Du);
  std::int32_t as_large = 0;
  for (std::int32_t i = 0; i < options.replicates; ++i) {
    as_large += difference(&random) >= observed - 1e-12;  // sums in another order
  }
  return (as_large + 1.0) / (options.replicates + 1.0);
}

void check_comparable(const Score& a, const Score& b) {
  const bool same_gold = a.sentences.size() == b.sentences.size() &&
                         std::equal(a.sentences.begin(), a.sentences.end(), b.sentences.begin(),
                                    [](const SentenceScore& x, const SentenceScore& y) {
                                      return x.num_gold == y.num_gold;
                                    });
  if (a.measure != b.measure || !same_gold) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("'{}' and '{}' were not scored by one measure against one gold",
                            a.system, b.system));
  }
}

}  // namespace

void ResamplingOptions::validate() const {
  if (replicates < 1 || replicates > 1'000'000) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("replicates is {}, 1 to 1000000 is allowed", replicates));
  }
  if (!(level > 0 && level < 1)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("level is {}, between 0 and 1 is allowed", level));
  }
}

BootstrapIntervals bootstrap(const Score& score, const ResamplingOptions& options) {
  options.validate();
  const std::vector<double> thresholds = thresholds_of(score);
  std::vector<std::uint32_t> counts(score.sentences.size());
  std::vector<double> precision, recall, f1, auc;
  Random random(options.seed);
  for (std::int32_t i = 0; i < options.replicates; ++i) {
    draw(random, counts);
    const score::Summary summary = resampled(score, thresholds, counts);
    precision.push_back(summary.point.precision);
    recall.push_back(summary.point.recall);
    f1.push_back(summary.point.f1);
    auc.push_back(summary.auc);
  }
  BootstrapIntervals intervals{interval_of(precision, options.level),
                               interval_of(recall, options.level), interval_of(f1, options.level),
                               std::nullopt};
  if (score.auc) intervals.auc = interval_of(auc, options.level);
  return intervals;
}

Comparison compare(const Score& a, const Score& b, const ResamplingOptions& options) {
  options.validate();
  check_comparable(a, b);
  const std::vector<double> thresholds_a = thresholds_of(a);
  const std::vector<double> thresholds_b = thresholds_of(b);
  std::vector<std::uint32_t> counts(a.sentences.size());
  std::vector<double> f1, auc;
  Random random(options.seed);
  for (std::int32_t i = 0; i < options.replicates; ++i) {
    draw(random, counts);
    const score::Summary summary_a = resampled(a, thresholds_a, counts);
    const score::Summary summary_b = resampled(b, thresholds_b, counts);
    f1.push_back(summary_a.point.f1 - summary_b.point.f1);
    auc.push_back(summary_a.auc - summary_b.auc);
  }
  Comparison comparison;
  comparison.f1 = paired(a.f1 - b.f1, f1, options.level);
  if (a.auc && b.auc) comparison.auc = paired(*a.auc - *b.auc, auc, options.level);
  const std::vector<Share> shares_a = shares_at_best(a);
  const std::vector<Share> shares_b = shares_at_best(b);
  double num_gold = 0;
  for (std::size_t i = 0; i < shares_a.size(); ++i) {
    num_gold += a.sentences[i].num_gold;
    const double f1_a = shares_a[i].f1(a.sentences[i].num_gold);
    const double f1_b = shares_b[i].f1(a.sentences[i].num_gold);
    comparison.sentences_better += f1_a > f1_b;
    comparison.sentences_worse += f1_a < f1_b;
  }
  comparison.f1.permutation_p = permutation_p(shares_a, shares_b, num_gold, options);
  return comparison;
}

}  // namespace diffie
