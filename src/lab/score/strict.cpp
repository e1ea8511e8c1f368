// CaRB's gold with no credit for words: a triple is right when it is one of the gold's.
#include <map>
#include <tuple>

#include "diffie/lab/score.h"
#include "lab/score/sentence_index.h"
#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie {
namespace {

using Slots = std::tuple<std::string, std::string, std::string>;

std::string normal(std::string_view slot) {
  const std::string lower = text::lowercase(slot);
  std::string joined;
  for (const std::string_view word : text::split_words(lower)) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

template <typename Arguments, typename TextOf>
Slots slots_of(std::string_view relation, const Arguments& arguments, TextOf text_of) {
  std::string object;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    object += text_of(arguments[i]);
    object += ' ';
  }
  return {normal(arguments.empty() ? std::string() : text_of(arguments[0])), normal(relation),
          normal(object)};
}

}  // namespace

double strict_f1(const GoldStandard& gold, const SystemOutput& output) {
  const score::SentenceIndex index(gold, output, Measure::kCarb);
  std::size_t hits = 0;
  std::size_t total = 0;  // gold and predicted
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    std::map<Slots, std::size_t> open;
    for (const GoldTuple& tuple : gold.sentences[i].tuples) {
      ++open[slots_of(tuple.relation.text, tuple.arguments,
                      [](const GoldPart& part) { return part.text; })];
      ++total;
    }
    for (const PredictedTuple& tuple : index.predicted(i)) {
      ++total;
      const auto found = open.find(
          slots_of(tuple.relation, tuple.arguments, [](const std::string& s) { return s; }));
      if (found == open.end() || found->second == 0) continue;
      --found->second;
      ++hits;
    }
  }
  return total == 0 ? 0 : 2 * static_cast<double>(hits) / static_cast<double>(total);
}

}  // namespace diffie
