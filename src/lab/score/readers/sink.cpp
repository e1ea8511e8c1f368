#include "lab/score/readers/readers.h"

namespace diffie::score {

PredictedSentence& TupleSink::entry(std::string_view name, bool is_id) {
  // Tuples of one sentence mostly follow each other.
  if (!sentences_.empty()) {
    const PredictedSentence& last = sentences_.back();
    if ((is_id ? last.id : last.sentence) == name && last.id.empty() != is_id) {
      return sentences_.back();
    }
  }
  std::string key(1, is_id ? 'i' : 's');
  key += name;
  const auto [found, is_new] = places_.emplace(std::move(key), sentences_.size());
  if (is_new) {
    PredictedSentence sentence;
    (is_id ? sentence.id : sentence.sentence) = name;
    sentences_.push_back(std::move(sentence));
  }
  return sentences_[found->second];
}

void TupleSink::add(std::string_view sentence, PredictedTuple tuple) {
  entry(sentence, false).tuples.push_back(std::move(tuple));
}

void TupleSink::add_by_id(std::string_view id, PredictedTuple tuple) {
  entry(id, true).tuples.push_back(std::move(tuple));
}

void TupleSink::add_empty(std::string_view sentence) { entry(sentence, false); }

}  // namespace diffie::score
