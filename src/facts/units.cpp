#include "facts/units.h"

#include <algorithm>
#include <array>
#include <utility>

namespace diffie::facts {
namespace {

bool is_apostrophe(std::string_view word) { return word == "'" || word == "’"; }

// "'s" of "’s" or "s"; empty for what is no ending of a contraction.
std::string_view contracted(std::string_view letters) {
  constexpr std::array<std::string_view, 6> kEndings = {"'s", "'re", "'ve", "'ll", "'d", "'m"};
  for (const std::string_view ending : kEndings) {
    if (letters == ending.substr(1)) return ending;
  }
  return {};
}

// The bytes of "n't" or "n’t" at the end of a word, 0 where there are none.
std::size_t size_of_not(std::string_view word) {
  for (const std::string_view ending : {std::string_view("n't"), std::string_view("n’t")}) {
    if (word.ends_with(ending)) return ending.size();
  }
  return 0;
}

// "they’ll" as "they" and "'ll"; the second is empty where there is nothing to split.
std::pair<std::string_view, std::string_view> split_clitic(std::string_view word) {
  for (const std::string_view mark : {std::string_view("'"), std::string_view("’")}) {
    const std::size_t place = word.rfind(mark);
    if (place == std::string_view::npos) continue;
    const std::string_view clitic = contracted(word.substr(place + mark.size()));
    if (!clitic.empty()) return {word.substr(0, place), clitic};
  }
  return {word, {}};
}

class Builder {
 public:
  Builder(std::string_view text, std::span<const Span> bytes, std::span<const std::string> words)
      : text_(text), bytes_(bytes), words_(words) {}

  std::vector<Unit> build() {
    units_.reserve(bytes_.size());
    for (std::uint32_t word = 0; word < bytes_.size();) word = add(word);
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      drop_inner_mark(unit);
      if (unit > 0 && units_[unit].capital && !units_[unit - 1].is(kMark))
        units_[unit].classes &= ~kNoName;
    }
    return std::move(units_);
  }

 private:
  // Adds the unit or units that begin at the word; the word after them.
  std::uint32_t add(std::uint32_t word) {
    const std::string_view lower = words_[word];
    if (touches_next(word) && is_apostrophe(words_[word + 1]) && touches_next(word + 1)) {
      const std::string_view ending = words_[word + 2];
      if (ending == "t" && lower.ends_with("n")) {
        push(lower == "can" ? lower : lower.substr(0, lower.size() - 1), word, word);
        push("n't", word + 1, word + 2);
        return word + 3;
      }
      if (const std::string_view clitic = contracted(ending); !clitic.empty()) {
        push(lower, word, word);
        push(clitic, word + 1, word + 2);
        return word + 3;
      }
    }
    return add_single(word);
  }

  std::uint32_t add_single(std::uint32_t word) {
    const std::string_view lower = words_[word];
    if (const std::size_t size = size_of_not(lower); size > 0) {
      const std::string_view rest = lower.substr(0, lower.size() - size);
      if (!rest.empty()) push(rest == "ca" ? "can" : rest, word, word);
      push("n't", word, word);
      return word + 1;
    }
    const auto [stem, clitic] = split_clitic(lower);
    if (!clitic.empty()) {
      if (!stem.empty()) push(stem, word, word);
      push(clitic, word, word);
      return word + 1;
    }
    push(lower, word, word);
    return word + 1;
  }

  void push(std::string_view lower, std::uint32_t first, std::uint32_t last) {
    const std::size_t begin = bytes_[first].begin;
    const auto is_upper = [&](std::size_t byte) {
      return byte < bytes_[first].end && text_[byte] >= 'A' && text_[byte] <= 'Z';
    };
    units_.push_back(
        {lower, classes_of(lower), first, last, is_upper(begin) && !is_upper(begin + 1)});
  }

  // The marks of "1,000", "well-known" and "U.S. officials" divide nothing.
  void drop_inner_mark(std::size_t at) {
    Unit& unit = units_[at];
    if (!unit.is(kComma | kStop | kBracket | kEnd) || at == 0 || at + 1 == units_.size()) return;
    const bool joins =
        unit.first_word > 0 && touches_next(unit.first_word - 1) && touches_next(unit.last_word);
    if (joins && !units_[at + 1].is(kMark)) unit.classes = 0;
    if (unit.text != ".") return;
    const bool closes = std::all_of(units_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                    units_.end(), [](const Unit& each) { return each.is(kMark); });
    const bool may_end = units_[at - 1].text.size() > 3 && units_[at + 1].capital;
    if (!closes && !may_end) unit.classes = 0;
  }

  // Whether the word after this one touches it.
  bool touches_next(std::uint32_t word) const {
    return word + 1 < bytes_.size() && bytes_[word].end == bytes_[word + 1].begin;
  }

  std::string_view text_;
  std::span<const Span> bytes_;
  std::span<const std::string> words_;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<Unit> make_units(std::string_view text, std::span<const Span> word_bytes,
                             std::span<const std::string> lower_words) {
  return Builder(text, word_bytes, lower_words).build();
}

}  // namespace diffie::facts
