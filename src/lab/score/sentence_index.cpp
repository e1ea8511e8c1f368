#include "lab/score/sentence_index.h"

#include <fmt/core.h>

#include <string>
#include <unordered_map>

#include "diffie/error.h"
#include "lab/score/sentence_key.h"

namespace diffie::score {
namespace {

bool knows_ids(Measure measure) {
  return measure == Measure::kBenchie || measure == Measure::kWire57 ||
         measure == Measure::kWire57Hungarian;
}

}  // namespace

SentenceIndex::SentenceIndex(const GoldStandard& gold, const SystemOutput& output, Measure measure)
    : by_gold_(gold.sentences.size(), nullptr) {
  std::unordered_map<std::string, std::size_t> place_by_key;  // in kept_
  std::unordered_map<std::string, std::size_t> place_by_id;
  for (const PredictedSentence& sentence : output.sentences) {
    const bool has_id = !sentence.id.empty();
    if (has_id && !knows_ids(measure)) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{}: sentence '{}' is known by its id only, {} needs its text",
                              output.name, sentence.id, to_string(measure)));
    }
    auto& places = has_id ? place_by_id : place_by_key;
    const auto [found, is_new] =
        places.emplace(has_id ? sentence.id : sentence_key(sentence.sentence), kept_.size());
    if (is_new) {
      kept_.push_back(&sentence);
    } else {
      kept_[found->second] = &sentence;
    }
  }
  const auto find = [&](const auto& places, const std::string& name) -> const PredictedSentence* {
    const auto found = places.find(name);
    return found == places.end() ? nullptr : kept_[found->second];
  };
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    const GoldSentence& sentence = gold.sentences[i];
    const PredictedSentence*& predicted = by_gold_[i];
    if (!sentence.id.empty()) predicted = find(place_by_id, sentence.id);
    if (predicted == nullptr && !place_by_key.empty()) {
      predicted = find(place_by_key, sentence_key(sentence.sentence));
      if (predicted == nullptr && !sentence.tokenized.empty()) {
        predicted = find(place_by_key, sentence_key(sentence.tokenized));
      }
    }
  }
}

const std::vector<PredictedTuple>& SentenceIndex::predicted(std::size_t gold_sentence) const {
  static const std::vector<PredictedTuple> kNone;
  const PredictedSentence* sentence = by_gold_.at(gold_sentence);
  return sentence == nullptr ? kNone : sentence->tuples;
}

}  // namespace diffie::score
