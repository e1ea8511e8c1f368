// BenchIE: a fact is found when an extraction equals one of the triples that state it.
#include <array>
#include <optional>

#include "lab/score/benchie_pattern.h"
#include "lab/score/judge.h"

namespace diffie::score {
namespace {

struct FactTriple {
  std::array<BenchiePattern, 3> slots;  // subject, relation, object
  std::size_t fact;
};

using Slots = std::array<std::string, 3>;

// Arguments after the first are one object.
Slots slots_of(const PredictedTuple& tuple) {
  Slots slots;
  slots[1] = tuple.relation;
  for (std::size_t i = 0; i < tuple.arguments.size(); ++i) {
    std::string& slot = slots[i == 0 ? 0 : 2];
    if (i > 1) slot += ' ';
    slot += tuple.arguments[i];
  }
  return slots;
}

std::optional<std::size_t> first_fact(const std::vector<FactTriple>& triples, const Slots& slots,
                                      bool trimmed) {
  for (const FactTriple& triple : triples) {
    bool equal = true;
    for (std::size_t i = 0; equal && i < slots.size(); ++i) {
      equal = triple.slots[i].matches(slots[i], trimmed);
    }
    if (equal) return triple.fact;
  }
  return std::nullopt;
}

class BenchieJudge final : public SentenceJudge {
 public:
  BenchieJudge(const GoldSentence& gold, const std::vector<PredictedTuple>& predicted)
      : num_facts_(gold.num_facts) {
    std::vector<FactTriple> triples;
    for (const GoldTuple& tuple : gold.tuples) {
      triples.push_back(
          {{BenchiePattern(tuple.arguments.at(0).text), BenchiePattern(tuple.relation.text),
            BenchiePattern(tuple.arguments.at(1).text)},
           tuple.fact});
    }
    for (const PredictedTuple& tuple : predicted) {
      const Slots slots = slots_of(tuple);
      std::optional<std::size_t> fact = first_fact(triples, slots, true);
      // The reference looks the fact up once more without stripping blanks and, when that fails,
      // credits the last one.
      if (fact) fact = first_fact(triples, slots, false).value_or(num_facts_ - 1);
      fact_of_.push_back(fact);
    }
  }

  Verdict judge(const std::vector<char>& active) const override {
    Verdict verdict;
    std::vector<char> hit(num_facts_, 0);
    for (std::size_t i = 0; i < fact_of_.size(); ++i) {
      if (!active[i]) continue;
      if (!fact_of_[i]) {
        verdict.num_predicted += 1;
      } else if (!hit[*fact_of_[i]]) {
        hit[*fact_of_[i]] = 1;
        verdict.num_predicted += 1;
        verdict.precision_sum += 1;
        verdict.precision_pairs.push_back({*fact_of_[i], i});
      }
    }
    verdict.recall_sum = verdict.precision_sum;
    verdict.recall_pairs = verdict.precision_pairs;
    return verdict;
  }

  PairScore pair(std::size_t gold, std::size_t predicted) const override {
    const double credit = fact_of_[predicted] == gold ? 1 : 0;
    return {credit, credit};
  }

 private:
  std::size_t num_facts_;
  std::vector<std::optional<std::size_t>> fact_of_;  // by prediction
};

}  // namespace

JudgeMaker benchie_judges() {
  return [](const GoldSentence& gold, const std::vector<PredictedTuple>& predicted) {
    return std::make_unique<BenchieJudge>(gold, predicted);
  };
}

}  // namespace diffie::score
