// CaRB and its variants.
#include <algorithm>
#include <optional>

#include "lab/score/judge.h"
#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

enum class Matching { kGreedy, kOptimal, kOptimalByF1 };

struct Variant {
  Matching matching = Matching::kGreedy;
  bool many_to_one_recall = false;  // a prediction may serve many gold tuples
  bool lower_case = false;
};

Variant variant_of(Measure measure) {
  switch (measure) {
    case Measure::kCarb11:
      return {Matching::kGreedy, false, false};
    case Measure::kCarbDiffie:
      return {Matching::kGreedy, true, true};
    case Measure::kCarbHungarian:
      return {Matching::kOptimal, false, false};
    case Measure::kCarbHungarianF1:
      return {Matching::kOptimalByF1, false, false};
    case Measure::kCarbDiffieHungarian:
      return {Matching::kOptimal, false, true};
    default:
      return {Matching::kGreedy, true, false};
  }
}

class CarbJudge final : public SentenceJudge {
 public:
  CarbJudge(const std::vector<WordTuple>& gold, const std::vector<WordTuple>& predicted,
            Variant variant)
      : variant_(variant) {
    const std::size_t size = gold.size() * predicted.size();
    precision_ = {gold.size(), predicted.size(), std::vector<double>(size)};
    recall_ = precision_;
    std::size_t cell = 0;
    for (const WordTuple& gold_tuple : gold) {
      for (const WordTuple& predicted_tuple : predicted) {
        const PairScore pair = carb_pair_score(gold_tuple, predicted_tuple);
        precision_.values[cell] = pair.precision;
        recall_.values[cell] = pair.recall;
        ++cell;
      }
    }
    if (variant.matching == Matching::kGreedy) {
      by_precision_.emplace(precision_);
      if (!variant.many_to_one_recall) by_recall_.emplace(recall_);
    }
    if (variant.matching == Matching::kOptimalByF1) {
      f1_ = precision_;
      for (std::size_t i = 0; i < size; ++i) {
        f1_.values[i] = f1(precision_.values[i], recall_.values[i]);
      }
    }
  }

  Verdict judge(const std::vector<char>& active) const override {
    Verdict verdict;
    match(active, verdict);
    if (variant_.many_to_one_recall) verdict.recall_pairs = best_per_gold(active);
    verdict.precision_sum = total(precision_, verdict.precision_pairs);
    verdict.recall_sum = total(recall_, verdict.recall_pairs);
    verdict.num_predicted = static_cast<double>(std::count(active.begin(), active.end(), 1));
    return verdict;
  }

  PairScore pair(std::size_t gold, std::size_t predicted) const override {
    return {precision_.at(gold, predicted), recall_.at(gold, predicted)};
  }

 private:
  void match(const std::vector<char>& active, Verdict& verdict) const {
    switch (variant_.matching) {
      case Matching::kGreedy:
        verdict.precision_pairs = by_precision_->match(active);
        if (by_recall_) verdict.recall_pairs = by_recall_->match(active);
        break;
      case Matching::kOptimal:
        verdict.precision_pairs = optimal_matching(precision_, active);
        verdict.recall_pairs = optimal_matching(recall_, active);
        break;
      case Matching::kOptimalByF1:
        verdict.precision_pairs = optimal_matching(f1_, active);
        verdict.recall_pairs = verdict.precision_pairs;
        break;
    }
  }

  std::vector<Match> best_per_gold(const std::vector<char>& active) const {
    std::vector<Match> best;
    for (std::size_t row = 0; row < recall_.rows; ++row) {
      double largest = 0;
      std::size_t at = 0;
      for (std::size_t column = 0; column < recall_.columns; ++column) {
        if (active[column] && recall_.at(row, column) > largest) {
          largest = recall_.at(row, column);
          at = column;
        }
      }
      if (largest > 0) best.push_back({row, at});
    }
    return best;
  }

  Variant variant_;
  ValueTable precision_;
  ValueTable recall_;
  ValueTable f1_;
  std::optional<GreedyMatcher> by_precision_;
  std::optional<GreedyMatcher> by_recall_;
};

// Texts of a tuple, lower-cased where the variant wants it, as numbered words.
class TupleReader {
 public:
  explicit TupleReader(bool lower_case) : lower_case_(lower_case) {}

  WordTuple read(const GoldTuple& tuple) {
    std::vector<std::string_view> arguments;
    for (const GoldPart& part : tuple.arguments) arguments.push_back(part.text);
    return make(tuple.relation.text, arguments);
  }

  WordTuple read(const PredictedTuple& tuple) {
    return make(tuple.relation, {tuple.arguments.begin(), tuple.arguments.end()});
  }

 private:
  WordTuple make(std::string_view relation, const std::vector<std::string_view>& arguments) {
    if (!lower_case_) return make_word_tuple(ids_, relation, arguments);
    std::vector<std::string> lowered;
    for (const std::string_view argument : arguments) lowered.push_back(text::lowercase(argument));
    return make_word_tuple(ids_, text::lowercase(relation), {lowered.begin(), lowered.end()});
  }

  bool lower_case_;
  WordIds ids_;
};

}  // namespace

JudgeMaker carb_judges(Measure measure) {
  const Variant variant = variant_of(measure);
  auto reader = std::make_shared<TupleReader>(variant.lower_case);
  return [variant, reader](const GoldSentence& gold, const std::vector<PredictedTuple>& predicted) {
    std::vector<WordTuple> gold_words;
    std::vector<WordTuple> predicted_words;
    for (const GoldTuple& tuple : gold.tuples) gold_words.push_back(reader->read(tuple));
    for (const PredictedTuple& tuple : predicted) predicted_words.push_back(reader->read(tuple));
    return std::make_unique<CarbJudge>(gold_words, predicted_words, variant);
  };
}

}  // namespace diffie::score
