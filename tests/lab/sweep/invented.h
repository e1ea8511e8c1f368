// Two invented sentences with pools and gold, small enough to score by hand.
#pragma once

#include "diffie/lab/sweep.h"

namespace diffie::test {

// 8 samples: 4 x (Ann; met; Bob), 2 x (Ann; met; Bob and Cid), 1 x (Bob; met; Cid) over words that
// do not follow each other, 1 without an object.
inline TagPool first_pool() {
  return {"Ann met Bob and Cid",
          {"Ann", "met", "Bob", "and", "Cid"},
          {{"SROBB", 4}, {"SROOO", 2}, {"SRBBB", 1}, {"BRSBO", 1}}};
}

// 8 samples, all different from the gold but one.
inline TagPool second_pool() {
  return {"Dan left home", {"Dan", "left", "home"}, {{"SRO", 5}, {"ORS", 3}}};
}

inline SweepPool invented_pool(std::string label = "a", std::string name = "a.jsonl") {
  return {std::move(label), std::move(name), {first_pool(), second_pool()}};
}

inline GoldTuple gold_tuple(const char* subject, const char* relation, const char* object) {
  GoldTuple tuple;
  tuple.relation.text = relation;
  tuple.arguments.resize(2);
  tuple.arguments[0].text = subject;
  tuple.arguments[1].text = object;
  return tuple;
}

inline GoldStandard invented_gold() {
  GoldStandard gold;
  gold.sentences.resize(2);
  gold.sentences[0].sentence = "Ann met Bob and Cid";
  gold.sentences[0].tuples = {gold_tuple("Ann", "met", "Bob"), gold_tuple("Ann", "met", "Cid")};
  gold.sentences[1].sentence = "Dan left home";
  gold.sentences[1].tuples = {gold_tuple("Dan", "left", "home")};
  for (GoldSentence& sentence : gold.sentences) sentence.num_facts = sentence.tuples.size();
  return gold;
}

inline std::vector<SweepGold> invented_golds() {
  return {{Measure::kCarb, invented_gold()}, {Measure::kCarb11, invented_gold()}};
}

}  // namespace diffie::test
