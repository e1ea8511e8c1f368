// From what each sentence adds at each threshold to the curve, its best point and its area.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffie/lab/score.h"

namespace diffie::score {

struct Summary {
  std::size_t best = 0;  // index of the first point with the best F1
  OperatingPoint point;  // that point; all zero for an empty curve
  double auc = 0;
};

// One point per threshold, by rising threshold. `weights`, if any, says how often each sentence
// counts (bootstrap). Where nothing is predicted, precision is `empty_precision`.
std::vector<CurvePoint> make_curve(std::span<const SentenceScore> sentences,
                                   std::span<const double> thresholds,
                                   std::span<const std::uint32_t> weights, double empty_precision);

// Area by trapezoids through the points and (recall 0, precision 1).
Summary summarize(std::span<const CurvePoint> curve);

}  // namespace diffie::score
