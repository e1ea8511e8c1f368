// Which prediction met which gold tuple.
#include <fmt/core.h>

#include <algorithm>

#include "diffie/error.h"
#include "diffie/lab/score_report.h"
#include "lab/score/judge.h"
#include "lab/score/sentence_index.h"

namespace diffie {
namespace {

using score::Match;

std::string show(std::string_view relation, const std::vector<std::string_view>& arguments) {
  std::string shown = fmt::format("({}; {}", arguments.empty() ? "" : arguments[0], relation);
  for (std::size_t i = 1; i < arguments.size(); ++i) shown += fmt::format("; {}", arguments[i]);
  return shown + ")";
}

std::string show(const GoldTuple& tuple) {
  std::vector<std::string_view> arguments;
  for (const GoldPart& part : tuple.arguments) arguments.push_back(part.text);
  return show(tuple.relation.text, arguments);
}

// BenchIE's facts by their first wording; elsewhere one line per tuple.
std::vector<std::string> show_gold(const GoldSentence& sentence, Measure measure) {
  std::vector<std::string> shown;
  if (measure != Measure::kBenchie) {
    for (const GoldTuple& tuple : sentence.tuples) shown.push_back(show(tuple));
    return shown;
  }
  shown.resize(sentence.num_facts, "(a fact without a wording)");
  std::vector<std::size_t> wordings(sentence.num_facts, 0);
  for (const GoldTuple& tuple : sentence.tuples) {
    if (wordings[tuple.fact]++ == 0) shown[tuple.fact] = show(tuple);
  }
  for (std::size_t fact = 0; fact < shown.size(); ++fact) {
    if (wordings[fact] > 1)
      shown[fact] += fmt::format(" and {} other wordings", wordings[fact] - 1);
  }
  return shown;
}

std::vector<PairCredit> credits(const score::SentenceJudge& judge, std::vector<Match> pairs,
                                const std::vector<std::size_t>& place) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Match& a, const Match& b) { return a.row < b.row; });
  std::vector<PairCredit> credits;
  for (const Match& match : pairs) {
    const score::PairScore pair = judge.pair(match.row, match.column);
    credits.push_back({match.row, place[match.column], pair.precision, pair.recall});
  }
  return credits;
}

}  // namespace

Explanation explain(const GoldStandard& gold, const SystemOutput& output, Measure measure,
                    std::size_t sentence, std::optional<double> threshold) {
  if (sentence >= gold.sentences.size()) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("no sentence {}; the gold has {}",
                                                         sentence + 1, gold.sentences.size()));
  }
  const GoldSentence& gold_sentence = gold.sentences[sentence];
  const score::SentenceIndex index(gold, output, measure);
  const std::vector<PredictedTuple>& predicted = index.predicted(sentence);
  Explanation result;
  result.id = gold_sentence.id;
  result.sentence = gold_sentence.sentence;
  result.gold = show_gold(gold_sentence, measure);
  result.num_gold = gold_sentence.num_facts;
  std::vector<char> active;
  std::vector<std::size_t> place;  // of a prediction among those that are shown
  for (const PredictedTuple& tuple : predicted) {
    active.push_back(!threshold || tuple.confidence >= *threshold);
    place.push_back(result.predicted.size());
    if (!active.back()) {
      ++result.below_threshold;
      continue;
    }
    result.predicted.push_back(
        show(tuple.relation, {tuple.arguments.begin(), tuple.arguments.end()}));
    result.confidences.push_back(tuple.confidence);
  }
  if (predicted.empty()) return result;
  const auto judge = score::make_judges(measure)(gold_sentence, predicted);
  const score::Verdict verdict = judge->judge(active);
  result.precision_sum = verdict.precision_sum;
  result.recall_sum = verdict.recall_sum;
  result.num_predicted = static_cast<std::size_t>(verdict.num_predicted);
  result.precision_pairs = credits(*judge, verdict.precision_pairs, place);
  result.recall_pairs = credits(*judge, verdict.recall_pairs, place);
  return result;
}

}  // namespace diffie
