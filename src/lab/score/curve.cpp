#include "lab/score/curve.h"

#include "base/assert.h"
#include "lab/score/pair_score.h"

namespace diffie::score {
namespace {

// The four sums. A sentence is constant between two of its own confidences, so it is entered as
// differences where it changes and the sums are running totals. Extended precision makes the
// differences cancel to well under one unit in the last place of a double.
struct Sums {
  long double precision_sum = 0;
  long double num_predicted = 0;
  long double recall_sum = 0;

  void add(const SentenceStep& step, long double weight) {
    precision_sum += weight * step.precision_sum;
    num_predicted += weight * step.num_predicted;
    recall_sum += weight * step.recall_sum;
  }
};

}  // namespace

std::vector<CurvePoint> make_curve(std::span<const SentenceScore> sentences,
                                   std::span<const double> thresholds,
                                   std::span<const std::uint32_t> weights, double empty_precision) {
  std::vector<Sums> changes(thresholds.size() + 1);
  long double num_gold = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const long double weight = weights.empty() ? 1 : weights[i];
    if (weight == 0) continue;
    num_gold += weight * sentences[i].num_gold;
    std::size_t begin = 0;
    for (const SentenceStep& step : sentences[i].steps) {
      DIFFIE_ASSERT(step.threshold >= begin && step.threshold < thresholds.size());
      changes[begin].add(step, weight);
      begin = step.threshold + 1;
      changes[begin].add(step, -weight);
    }
  }
  std::vector<CurvePoint> curve;
  curve.reserve(thresholds.size());
  Sums sums;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    sums.precision_sum += changes[i].precision_sum;
    sums.num_predicted += changes[i].num_predicted;
    sums.recall_sum += changes[i].recall_sum;
    CurvePoint point{empty_precision, 0, thresholds[i]};
    if (sums.num_predicted > 0) {
      point.precision = static_cast<double>(sums.precision_sum / sums.num_predicted);
    }
    if (num_gold > 0) point.recall = static_cast<double>(sums.recall_sum / num_gold);
    curve.push_back(point);
  }
  return curve;
}

Summary summarize(std::span<const CurvePoint> curve) {
  Summary summary;
  if (curve.empty()) return summary;
  double best_f1 = -1;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double value = f1(curve[i].precision, curve[i].recall);
    if (value > best_f1) {
      best_f1 = value;
      summary.best = i;
    }
    const CurvePoint next = i + 1 < curve.size() ? curve[i + 1] : CurvePoint{1, 0, 0};
    summary.auc += (curve[i].recall - next.recall) * (curve[i].precision + next.precision) / 2;
  }
  summary.point = {curve[summary.best].precision, curve[summary.best].recall, best_f1};
  return summary;
}

}  // namespace diffie::score
