#include "reshape/line.h"

#include <algorithm>

namespace diffie::reshape {
namespace {

bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace

Line::Line(std::string_view text, std::span<const Span> word_bytes,
           std::span<const std::string> lower_words)
    : text_(text),
      word_bytes_(word_bytes),
      units_(facts::make_units(text, word_bytes, lower_words.first(word_bytes.size()))) {
  for (std::size_t at = 0; at < size(); ++at) {
    lists_.push_back(lists_of(units_[at].text));
    // Beyond ASCII a letter is a capital where lower case spells it otherwise.
    const std::string_view as_written = spelled(at);
    const std::string_view as_lower = lower_words[units_[at].first_word];
    const bool begins = !as_written.empty() && !as_lower.empty();
    const bool ascii = begins && static_cast<unsigned char>(as_written[0]) < 0x80;
    capital_.push_back(begins && (ascii ? is_upper(as_written[0])
                                        : as_written.substr(0, 2) != as_lower.substr(0, 2)));
  }
}

std::string_view Line::spelled(std::size_t at) const {
  if (at >= size()) return "";
  const std::size_t begin = word_bytes_[units_[at].first_word].begin;
  return text_.substr(begin, word_bytes_[units_[at].last_word].end - begin);
}

bool Line::is_all_capitals(std::size_t at) const {
  const std::string_view word = spelled(at);
  return word.size() > 1 && std::all_of(word.begin(), word.end(), is_upper);
}

bool Line::is_digits(std::size_t at) const {
  const std::string_view word = lower(at);
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

bool Line::touches_next(std::size_t at) const {
  return at + 1 < size() &&
         word_bytes_[units_[at].last_word].end == word_bytes_[units_[at + 1].first_word].begin;
}

std::vector<std::size_t> Line::units_of(std::span<const std::uint32_t> words) const {
  std::vector<std::size_t> found;
  std::size_t unit = 0;
  for (const std::uint32_t word : words) {
    while (unit < size() && units_[unit].last_word < word) ++unit;
    for (std::size_t at = unit; at < size() && units_[at].first_word <= word; ++at) {
      if (!std::binary_search(words.begin(), words.end(), units_[at].first_word) ||
          !std::binary_search(words.begin(), words.end(), units_[at].last_word))
        return {};
      if (found.empty() || found.back() < at) found.push_back(at);
    }
  }
  return found;
}

std::vector<std::uint32_t> Line::words_of(std::span<const std::size_t> units) const {
  std::vector<std::uint32_t> words;
  for (const std::size_t unit : units) {
    for (std::uint32_t word = units_[unit].first_word; word <= units_[unit].last_word; ++word) {
      if (words.empty() || words.back() < word) words.push_back(word);
    }
  }
  return words;
}

}  // namespace diffie::reshape
