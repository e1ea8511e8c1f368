#include "diffie/lab/score.h"

#include <algorithm>

#include "lab/score/curve.h"
#include "lab/score/judge.h"
#include "lab/score/sentence_index.h"

namespace diffie {
namespace {

using score::SentenceIndex;
using score::SentenceJudge;
using score::Verdict;

std::vector<double> distinct_confidences(const SentenceIndex& index) {
  std::vector<double> confidences;
  for (const PredictedSentence* sentence : index.kept()) {
    for (const PredictedTuple& tuple : sentence->tuples) confidences.push_back(tuple.confidence);
  }
  std::sort(confidences.begin(), confidences.end());
  confidences.erase(std::unique(confidences.begin(), confidences.end()), confidences.end());
  return confidences;
}

// One verdict per distinct confidence of this sentence, all predictions first.
std::vector<SentenceStep> steps_of(const SentenceJudge& judge,
                                   const std::vector<PredictedTuple>& predicted,
                                   const std::vector<double>& thresholds) {
  std::vector<double> own;
  for (const PredictedTuple& tuple : predicted) own.push_back(tuple.confidence);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  std::vector<SentenceStep> steps;
  std::vector<char> active(predicted.size());
  for (const double threshold : own) {
    for (std::size_t i = 0; i < active.size(); ++i)
      active[i] = predicted[i].confidence >= threshold;
    const Verdict verdict = judge.judge(active);
    const auto place = std::lower_bound(thresholds.begin(), thresholds.end(), threshold);
    steps.push_back({static_cast<std::size_t>(place - thresholds.begin()), verdict.precision_sum,
                     verdict.num_predicted, verdict.recall_sum});
  }
  return steps;
}

std::vector<SentenceStep> single_step(const SentenceJudge& judge, std::size_t num_predicted) {
  const Verdict verdict = judge.judge(std::vector<char>(num_predicted, 1));
  return {{0, verdict.precision_sum, verdict.num_predicted, verdict.recall_sum}};
}

void fill_in(Score& result, std::span<const double> thresholds) {
  const bool curved = has_curve(result.measure);
  std::vector<CurvePoint> curve =
      score::make_curve(result.sentences, thresholds, {}, curved ? 1 : 0);
  const score::Summary summary = score::summarize(curve);
  result.precision = summary.point.precision;
  result.recall = summary.point.recall;
  result.f1 = summary.point.f1;
  if (!curve.empty()) {
    result.all_predictions = {curve[0].precision, curve[0].recall,
                              score::f1(curve[0].precision, curve[0].recall)};
  }
  if (!curved) return;
  result.auc = summary.auc;
  if (!curve.empty()) result.optimal_threshold = curve[summary.best].confidence;
  result.curve = std::move(curve);
}

}  // namespace

Score score_system(const GoldStandard& gold, const SystemOutput& output, Measure measure) {
  const SentenceIndex index(gold, output, measure);
  const bool curved = has_curve(measure);
  const std::vector<double> thresholds =
      curved ? distinct_confidences(index) : std::vector<double>{0};
  const score::JudgeMaker make_judge = score::make_judges(measure);
  Score result;
  result.measure = measure;
  result.system = output.name;
  for (const PredictedSentence* sentence : index.kept()) {
    result.num_predicted += sentence->tuples.size();
  }
  result.sentences.resize(gold.sentences.size());
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    const std::vector<PredictedTuple>& predicted = index.predicted(i);
    result.sentences[i].num_gold = static_cast<double>(gold.sentences[i].num_facts);
    result.num_gold += gold.sentences[i].num_facts;
    result.num_scored += predicted.size();
    if (predicted.empty()) continue;
    const auto judge = make_judge(gold.sentences[i], predicted);
    result.sentences[i].steps =
        curved ? steps_of(*judge, predicted, thresholds) : single_step(*judge, predicted.size());
  }
  fill_in(result, thresholds);
  return result;
}

}  // namespace diffie
