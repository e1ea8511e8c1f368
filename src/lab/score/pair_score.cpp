#include "lab/score/pair_score.h"

#include <algorithm>

#include "text/white_space.h"

namespace diffie::score {
namespace {

constexpr std::array<std::string_view, 8> kFormsOfBe = {"be",  "is",   "am",   "are",
                                                        "was", "were", "been", "being"};
constexpr std::array<std::string_view, 5> kSpeechVerbs = {"said", "told", "added", "adds", "says"};

void append_words(WordIds& ids, std::string_view text, std::vector<std::uint32_t>& words) {
  for (const std::string_view word : text::split_words(text)) words.push_back(ids.id(word));
}

// Size of the multiset intersection of two sorted lists.
std::size_t common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t count = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (*left == *right) {
      ++count;
      ++left;
      ++right;
    } else if (*left < *right) {
      ++left;
    } else {
      ++right;
    }
  }
  return count;
}

// `swapped`: the prediction's two slots change places.
PairScore one_way(const WordTuple& gold, const WordTuple& predicted, bool swapped) {
  std::size_t matching = common(gold.relation, predicted.relation);
  if (gold.has_form_of_be && predicted.num_be > gold.num_be) ++matching;
  if (matching == 0) return {};
  std::size_t gold_total = gold.relation.size();
  std::size_t predicted_total = predicted.relation.size();
  for (std::size_t slot = 0; slot < gold.num_slots; ++slot) {
    if (slot >= predicted.num_slots) return {};
    const auto& gold_words = gold.slots[slot];
    const auto& words = predicted.slots[swapped ? 1 - slot : slot];
    matching += common(gold_words, words);
    gold_total += gold_words.size();
    predicted_total += words.size();
  }
  const auto ratio = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return {ratio(matching, predicted_total), ratio(matching, gold_total)};
}

}  // namespace

double f1(double precision, double recall) noexcept {
  const double sum = precision + recall;
  return sum > 0 ? 2 * precision * recall / sum : 0;
}

WordIds::WordIds() {
  for (const std::string_view form : kFormsOfBe) num_be_forms_ = id(form) + 1;
  be_ = id("be");
}

std::uint32_t WordIds::id(std::string_view word) {
  const auto found = ids_.find(word);
  if (found != ids_.end()) return found->second;
  const auto next = static_cast<std::uint32_t>(ids_.size());
  ids_.emplace(word, next);
  return next;
}

WordTuple make_word_tuple(WordIds& ids, std::string_view relation,
                          const std::vector<std::string_view>& arguments) {
  WordTuple tuple;
  append_words(ids, relation, tuple.relation);
  for (const std::uint32_t word : tuple.relation) {
    tuple.num_be += word == ids.be();
    tuple.has_form_of_be |= ids.is_form_of_be(word);
  }
  tuple.num_slots = std::min<std::size_t>(arguments.size(), 2);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    append_words(ids, arguments[i], tuple.slots[std::min<std::size_t>(i, 1)]);
  }
  tuple.reports_speech = std::any_of(
      kSpeechVerbs.begin(), kSpeechVerbs.end(),
      [&](std::string_view verb) { return relation.find(verb) != std::string_view::npos; });
  std::sort(tuple.relation.begin(), tuple.relation.end());
  for (auto& slot : tuple.slots) std::sort(slot.begin(), slot.end());
  return tuple;
}

PairScore carb_pair_score(const WordTuple& gold, const WordTuple& predicted) {
  const PairScore straight = one_way(gold, predicted, false);
  if (!gold.reports_speech || predicted.num_slots < 2) return straight;
  const PairScore swapped = one_way(gold, predicted, true);
  const bool better = swapped.precision > straight.precision ||
                      (swapped.precision == straight.precision && swapped.recall > straight.recall);
  return better ? swapped : straight;
}

}  // namespace diffie::score
