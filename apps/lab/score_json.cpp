#include <nlohmann/json.hpp>

#include "score_output.h"

namespace diffie::cli {
namespace {

using json = nlohmann::ordered_json;

json to_json(const Interval& interval) { return {interval.low, interval.high}; }

json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json to_json(const PairedDifference& difference) {
  return {{"difference", difference.difference},
          {"interval", to_json(difference.interval)},
          {"bootstrap_p", difference.bootstrap_p},
          {"permutation_p", to_json(difference.permutation_p)}};
}

json to_json(const std::vector<PairCredit>& pairs) {
  json list = json::array();
  for (const PairCredit& pair : pairs) {
    list.push_back({{"gold", pair.gold},
                    {"predicted", pair.predicted},
                    {"precision", pair.precision},
                    {"recall", pair.recall}});
  }
  return list;
}

json to_json(const Explanation& explanation) {
  return {{"id", explanation.id},
          {"sentence", explanation.sentence},
          {"gold", explanation.gold},
          {"predicted", explanation.predicted},
          {"confidences", explanation.confidences},
          {"below_threshold", explanation.below_threshold},
          {"precision_pairs", to_json(explanation.precision_pairs)},
          {"recall_pairs", to_json(explanation.recall_pairs)},
          {"precision_sum", explanation.precision_sum},
          {"num_predicted", explanation.num_predicted},
          {"recall_sum", explanation.recall_sum},
          {"num_gold", explanation.num_gold}};
}

json to_json(const BootstrapIntervals& intervals, const ResamplingOptions& options) {
  return {{"replicates", options.replicates},
          {"level", options.level},
          {"seed", options.seed},
          {"precision", to_json(intervals.precision)},
          {"recall", to_json(intervals.recall)},
          {"f1", to_json(intervals.f1)},
          {"auc", intervals.auc ? to_json(*intervals.auc) : json(nullptr)}};
}

json to_json(const ScoredSystem& system, const ResamplingOptions& options) {
  const Score& score = system.score;
  json object = {{"measure", to_string(score.measure)},
                 {"system", score.system},
                 {"precision", score.precision},
                 {"recall", score.recall},
                 {"f1", score.f1},
                 {"auc", to_json(score.auc)},
                 {"optimal_threshold", to_json(score.optimal_threshold)},
                 {"all_predictions",
                  {{"precision", score.all_predictions.precision},
                   {"recall", score.all_predictions.recall},
                   {"f1", score.all_predictions.f1}}},
                 {"num_gold", score.num_gold},
                 {"num_predicted", score.num_predicted},
                 {"num_scored", score.num_scored}};
  if (system.intervals) object["bootstrap"] = to_json(*system.intervals, options);
  if (system.explanation) object["explanation"] = to_json(*system.explanation);
  json curve = json::array();
  for (const CurvePoint& point : score.curve) {
    curve.push_back({point.precision, point.recall, point.confidence});
  }
  object["curve"] = std::move(curve);
  return object;
}

}  // namespace

std::string score_json(const ScoreReport& report) {
  json object;
  if (report.systems.size() == 1) {
    object = to_json(report.systems[0], report.resampling);
  } else {
    object["systems"] = json::array();
    for (const ScoredSystem& system : report.systems) {
      object["systems"].push_back(to_json(system, report.resampling));
    }
  }
  if (report.comparison) {
    const auto& [a, b, result] = *report.comparison;
    object["comparison"] = {{"a", a},
                            {"b", b},
                            {"f1", to_json(result.f1)},
                            {"auc", result.auc ? to_json(*result.auc) : json(nullptr)},
                            {"sentences_better", result.sentences_better},
                            {"sentences_worse", result.sentences_worse}};
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace diffie::cli
