// WiRe57, and WiRe57-C: WiRe57's matching against CaRB's gold.
#include <algorithm>
#include <optional>
#include <string_view>

#include "lab/score/judge.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// A part of a gold tuple: all its words, and how many of them the sentence states.
struct Part {
  std::vector<std::string_view> words;
  std::size_t num_stated = 0;
};

struct Counts {
  std::size_t matching = 0;
  std::size_t predicted = 0;
  std::size_t gold = 0;

  std::optional<PairScore> score() const {
    if (predicted == 0 || gold == 0) return std::nullopt;
    const auto both = static_cast<double>(matching);
    return PairScore{both / static_cast<double>(predicted), both / static_cast<double>(gold)};
  }
};

using Words = std::vector<std::string_view>;

std::size_t num_matching(const Words& predicted, const Words& gold) {
  return static_cast<std::size_t>(
      std::count_if(predicted.begin(), predicted.end(), [&](std::string_view word) {
        return std::find(gold.begin(), gold.end(), word) != gold.end();
      }));
}

Part part_of(const GoldPart& part) {
  return {{part.words.begin(), part.words.end()}, part.words.size() - part.num_inferred};
}

// Subject, relation, object; then the further arguments.
std::optional<PairScore> wire57_pair(const GoldTuple& gold, const PredictedTuple& predicted) {
  const auto argument = [&](std::size_t i) {
    return i < predicted.arguments.size() ? text::split_words(predicted.arguments[i]) : Words{};
  };
  const auto gold_argument = [&](std::size_t i) {
    return i < gold.arguments.size() ? part_of(gold.arguments[i]) : Part{};
  };
  Counts counts;
  const std::pair<Part, Words> parts[] = {
      {gold_argument(0), argument(0)},
      {part_of(gold.relation), text::split_words(predicted.relation)},
      {gold_argument(1), argument(1)}};
  for (const auto& [part, words] : parts) {
    const std::size_t matching = num_matching(words, part.words);
    if (matching == 0 && part.num_stated > 0) return std::nullopt;
    if (words.empty()) continue;
    counts.matching += matching;
    counts.predicted += words.size();
    counts.gold += part.num_stated;
  }
  for (std::size_t i = 2; i < gold.arguments.size(); ++i) {
    const Part part = part_of(gold.arguments[i]);
    const Words words = argument(i);
    counts.gold += part.num_stated;
    counts.matching += num_matching(words, part.words);
    counts.predicted += words.size();
  }
  return counts.score();
}

// Arguments after the first are one object; no word is inferred; an empty part meets only an
// empty part.
std::optional<PairScore> wire57_c_pair(const GoldTuple& gold, const PredictedTuple& predicted) {
  Words gold_parts[3];
  Words parts[3];
  gold_parts[1] = text::split_words(gold.relation.text);
  parts[1] = text::split_words(predicted.relation);
  const auto append = [](Words& to, std::string_view text) {
    const Words words = text::split_words(text);
    to.insert(to.end(), words.begin(), words.end());
  };
  for (std::size_t i = 0; i < gold.arguments.size(); ++i) {
    append(gold_parts[i == 0 ? 0 : 2], gold.arguments[i].text);
  }
  for (std::size_t i = 0; i < predicted.arguments.size(); ++i) {
    append(parts[i == 0 ? 0 : 2], predicted.arguments[i]);
  }
  Counts counts;
  for (std::size_t i = 0; i < 3; ++i) {
    if (parts[i].empty() && gold_parts[i].empty()) continue;
    const std::size_t matching = num_matching(parts[i], gold_parts[i]);
    if (matching == 0) return std::nullopt;
    counts.matching += matching;
    counts.predicted += parts[i].size();
    counts.gold += gold_parts[i].size();
  }
  return counts.score();
}

class Wire57Judge final : public SentenceJudge {
 public:
  Wire57Judge(const GoldSentence& gold, const std::vector<PredictedTuple>& predicted,
              Measure measure)
      : optimal_(measure == Measure::kWire57Hungarian) {
    const std::size_t size = gold.tuples.size() * predicted.size();
    f1_ = {gold.tuples.size(), predicted.size(), std::vector<double>(size)};
    pairs_.resize(size);
    std::size_t cell = 0;
    for (const GoldTuple& gold_tuple : gold.tuples) {
      for (const PredictedTuple& tuple : predicted) {
        const auto pair = measure == Measure::kWire57C ? wire57_c_pair(gold_tuple, tuple)
                                                       : wire57_pair(gold_tuple, tuple);
        pairs_[cell] = pair.value_or(PairScore{});
        f1_.values[cell] = f1(pairs_[cell].precision, pairs_[cell].recall);
        ++cell;
      }
    }
  }

  Verdict judge(const std::vector<char>& active) const override {
    Verdict verdict;
    verdict.precision_pairs =
        optimal_ ? optimal_matching(f1_, active) : GreedyMatcher(f1_).match(active);
    verdict.recall_pairs = verdict.precision_pairs;
    for (const Match& match : verdict.precision_pairs) {
      verdict.precision_sum += pair(match.row, match.column).precision;
      verdict.recall_sum += pair(match.row, match.column).recall;
    }
    verdict.num_predicted = static_cast<double>(std::count(active.begin(), active.end(), 1));
    return verdict;
  }

  PairScore pair(std::size_t gold, std::size_t predicted) const override {
    return pairs_[gold * f1_.columns + predicted];
  }

 private:
  bool optimal_;
  ValueTable f1_;
  std::vector<PairScore> pairs_;
};

}  // namespace

JudgeMaker wire57_judges(Measure measure) {
  return [measure](const GoldSentence& gold, const std::vector<PredictedTuple>& predicted) {
    return std::make_unique<Wire57Judge>(gold, predicted, measure);
  };
}

}  // namespace diffie::score
