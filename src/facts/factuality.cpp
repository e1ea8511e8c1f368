#include "facts/factuality.h"

#include <array>

#include "facts/reader.h"

namespace diffie {

std::string_view name_of(Polarity polarity) {
  return polarity == Polarity::kPositive ? "positive" : "negative";
}

std::string_view name_of(Modality modality) {
  constexpr std::array<std::string_view, 5> kNames = {"certain", "possible", "question",
                                                      "imperative", "conditional"};
  return kNames[static_cast<std::size_t>(modality)];
}

}  // namespace diffie

namespace diffie::facts {
namespace {

std::vector<std::size_t> units_of(std::span<const std::uint32_t> words,
                                  std::span<const std::uint32_t> unit_of_word,
                                  std::span<const Unit> units) {
  std::vector<std::size_t> found;
  for (const std::uint32_t word : words) {
    if (word >= unit_of_word.size()) break;  // implied
    std::size_t unit = unit_of_word[word];
    for (; unit < units.size() && units[unit].first_word <= word; ++unit) {
      if (found.empty() || found.back() < unit) found.push_back(unit);
    }
  }
  return found;
}

}  // namespace

SentenceFacts::SentenceFacts(std::string_view text, std::span<const Span> word_bytes,
                             std::span<const std::string> lower_words)
    : text_(text),
      word_bytes_(word_bytes),
      units_(make_units(text, word_bytes, lower_words.first(word_bytes.size()))),
      unit_of_word_(word_bytes.size()),
      outline_(make_outline(units_)) {
  for (std::size_t unit = units_.size(); unit-- > 0;) {
    for (std::uint32_t word = units_[unit].first_word; word <= units_[unit].last_word; ++word)
      unit_of_word_[word] = static_cast<std::uint32_t>(unit);
  }
}

Factuality SentenceFacts::of(const TripleWords& triple) const {
  const TripleUnits found = {units_of(triple.subject, unit_of_word_, units_),
                             units_of(triple.relation, unit_of_word_, units_),
                             units_of(triple.object, unit_of_word_, units_)};
  Factuality factuality;
  // "Paris, the capital": what is said in passing is taken for granted.
  if (found.relation.empty()) return factuality;
  const Reading reading = read_triple(units_, outline_, found);
  factuality.polarity = reading.negative ? Polarity::kNegative : Polarity::kPositive;
  factuality.modality = reading.modality;
  if (reading.source && !reading.source->empty()) {
    const Span bytes = {word_bytes_[units_[reading.source->begin].first_word].begin,
                        word_bytes_[units_[reading.source->end - 1].last_word].end};
    factuality.attributed_to = {
        Attribution{std::string(text_.substr(bytes.begin, bytes.end - bytes.begin)), {bytes}}};
  }
  return factuality;
}

}  // namespace diffie::facts
