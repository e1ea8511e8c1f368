#include "lab/sweep/oracle.h"

#include <algorithm>

#include "lab/score/pair_score.h"
#include "lab/score/sentence_key.h"
#include "lab/sweep/candidates.h"

namespace diffie::sweep {

Oracle::Oracle(const GoldStandard& gold) : gold_(gold) {
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    place_by_key_.emplace(score::sentence_key(gold.sentences[i].sentence), i);
  }
  // WiRe57 knows two spellings; the text itself goes first, as where predictions are looked up.
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    if (gold.sentences[i].tokenized.empty()) continue;
    place_by_key_.emplace(score::sentence_key(gold.sentences[i].tokenized), i);
  }
}

bool Oracle::knows(const std::string& sentence) const {
  return place_by_key_.contains(score::sentence_key(sentence));
}

std::vector<PredictedTuple> Oracle::choose(const std::string& sentence,
                                           const extract::CandidateSet& pool,
                                           const std::vector<std::string>& words,
                                           const score::JudgeMaker& judges) const {
  const auto place = place_by_key_.find(score::sentence_key(sentence));
  if (place == place_by_key_.end()) return {};
  const GoldSentence& gold = gold_.sentences[place->second];
  std::vector<PredictedTuple> tuples;
  for (const extract::Candidate& candidate : pool.candidates) {
    tuples.push_back(to_tuple(candidate.triple, 1, words, pool.num_implied));
  }
  const auto judge = judges(gold, tuples);
  std::vector<double> confidence(tuples.size(), 0);  // 0: not chosen
  for (std::size_t row = 0; row < gold.num_facts; ++row) {
    double best = 0;
    std::size_t best_candidate = 0;
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      const score::PairScore pair = judge->pair(row, i);
      const double value = score::f1(pair.precision, pair.recall);
      if (value > best) {
        best = value;
        best_candidate = i;
      }
    }
    if (best > 0) confidence[best_candidate] = std::max(confidence[best_candidate], best);
  }
  std::vector<PredictedTuple> choice;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    if (confidence[i] == 0) continue;
    tuples[i].confidence = confidence[i];
    choice.push_back(std::move(tuples[i]));
  }
  return choice;
}

}  // namespace diffie::sweep
