#include "lab/sweep/spread.h"

#include <cmath>

#include "base/assert.h"

namespace diffie::sweep {

Spread spread_of(std::span<const double> values) {
  DIFFIE_ASSERT(!values.empty());
  const auto count = static_cast<double>(values.size());
  Spread spread;
  for (const double value : values) spread.mean += value / count;
  if (values.size() < 2) return {values[0], std::nullopt};
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

SweepScore spread_of(std::span<const SweepScore> runs) {
  const auto over_runs = [&](auto value_of) {
    std::vector<double> values;
    for (const SweepScore& run : runs) values.push_back(value_of(run));
    return spread_of(values);
  };
  SweepScore score;
  score.precision = over_runs([](const SweepScore& run) { return run.precision.mean; });
  score.recall = over_runs([](const SweepScore& run) { return run.recall.mean; });
  score.f1 = over_runs([](const SweepScore& run) { return run.f1.mean; });
  if (runs[0].auc) score.auc = over_runs([](const SweepScore& run) { return run.auc->mean; });
  return score;
}

SweepScore to_sweep_score(const Score& score) {
  SweepScore result{{score.precision, {}}, {score.recall, {}}, {score.f1, {}}, std::nullopt};
  if (score.auc) result.auc = Spread{*score.auc, {}};
  return result;
}

}  // namespace diffie::sweep
