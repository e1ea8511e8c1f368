#include "lab/rank/gold.h"

#include <algorithm>
#include <string_view>

#include "lab/data/fine_words.h"

namespace diffie::rank {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (data::FineWord& word : data::fine_words(text))
    if (!word.punctuation) words.push_back(std::move(word.text));
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

score::WordTuple tuple_of(const Slots& slots, score::WordIds& ids) {
  const std::string subject = joined(slots[0]);
  const std::string object = joined(slots[2]);
  std::vector<std::string_view> arguments = {subject};
  if (!object.empty()) arguments.push_back(object);
  return score::make_word_tuple(ids, joined(slots[1]), arguments);
}

struct Cell {
  double value = 0;
  std::size_t fact = 0;
  std::size_t shown = 0;
};

}  // namespace

SentenceGold::SentenceGold(const std::vector<std::string>& words,
                           const std::vector<data::Triple>& triples, std::size_t num_implied)
    : words_(words), num_implied_(num_implied) {
  for (const std::string& word : words) fine_.push_back(words_of(word));
  for (const data::Triple& triple : triples) {
    Slots slots = {words_of(triple.subject), words_of(triple.relation), words_of(triple.object)};
    if (slots[0].empty() || slots[1].empty()) continue;
    tuples_.push_back(tuple_of(slots, ids_));
    slots_.push_back(std::move(slots));
  }
}

Slots SentenceGold::slots_of(const extract::Triple& triple) const {
  Slots slots;
  for (std::size_t role = 0; role < slots.size(); ++role)
    for (const std::uint32_t word :
         extract::reading_order(triple.words[role], words_, num_implied_))
      slots[role].insert(slots[role].end(), fine_[word].begin(), fine_[word].end());
  return slots;
}

SentenceGold::Match SentenceGold::match(const extract::Triple& triple) const {
  const Slots slots = slots_of(triple);
  const score::WordTuple tuple = tuple_of(slots, ids_);
  Match match;
  for (std::size_t fact = 0; fact < size(); ++fact) {
    match.pairs.push_back(score::carb_pair_score(tuples_[fact], tuple));
    match.exact.push_back(slots == slots_[fact]);
  }
  return match;
}

double ShownTriples::matched_precision(const SentenceGold::Match* extra) const {
  std::vector<Cell> cells;
  const std::size_t count = shown_.size() + (extra != nullptr ? 1 : 0);
  for (std::size_t shown = 0; shown < count; ++shown) {
    const auto& pairs = shown < shown_.size() ? shown_[shown].pairs : extra->pairs;
    for (std::size_t fact = 0; fact < pairs.size(); ++fact)
      if (pairs[fact].precision > 0) cells.push_back({pairs[fact].precision, fact, shown});
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.value > b.value; });
  std::vector<bool> fact_used(recalled_.size(), false);
  std::vector<bool> shown_used(count, false);
  double sum = 0;
  for (const Cell& cell : cells) {
    if (fact_used[cell.fact] || shown_used[cell.shown]) continue;
    fact_used[cell.fact] = shown_used[cell.shown] = true;
    sum += cell.value;
  }
  return sum;
}

Worth ShownTriples::worth_of(const SentenceGold::Match& match) const {
  Worth worth;
  worth.precision = matched_precision(&match) - precision_;
  for (std::size_t fact = 0; fact < recalled_.size(); ++fact) {
    worth.recall += std::max(match.pairs[fact].recall - recalled_[fact], 0.0);
    if (match.exact[fact] && !exact_[fact]) worth.exact = 1;
  }
  return worth;
}

void ShownTriples::show(const SentenceGold::Match& match) {
  precision_ = matched_precision(&match);
  shown_.push_back(match);
  for (std::size_t fact = 0; fact < recalled_.size(); ++fact) {
    recalled_[fact] = std::max(recalled_[fact], match.pairs[fact].recall);
    if (match.exact[fact]) exact_[fact] = true;
  }
}

}  // namespace diffie::rank
