// A sentence as the rules of this room read it: the units of `facts` with what is known of their
// spelling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/text.h"
#include "facts/phrases.h"
#include "reshape/word_lists.h"

namespace diffie::reshape {

class Line {
 public:
  Line() = default;  // of no words
  // As for facts::SentenceFacts; all three must outlive the object.
  Line(std::string_view text, std::span<const Span> word_bytes,
       std::span<const std::string> lower_words);

  std::size_t size() const { return units_.size(); }
  std::span<const facts::Unit> units() const { return units_; }
  const facts::Unit& operator[](std::size_t at) const { return units_[at]; }
  std::string_view text() const { return text_; }
  std::span<const Span> word_bytes() const { return word_bytes_; }

  // The rest may be asked of any place: beyond the ends there is no word.
  std::string_view lower(std::size_t at) const { return at < size() ? units_[at].text : ""; }
  bool is(std::size_t at, std::string_view word) const { return lower(at) == word; }
  bool is(std::size_t at, facts::Classes any) const { return at < size() && units_[at].is(any); }
  bool in(std::size_t at, WordList list) const { return at < size() && has(lists_[at], list); }
  // As it is written.
  std::string_view spelled(std::size_t at) const;
  bool is_capital(std::size_t at) const { return at < size() && capital_[at]; }
  bool is_all_capitals(std::size_t at) const;  // two letters at least
  bool is_digits(std::size_t at) const;
  // Whether nothing stands between this unit and the next.
  bool touches_next(std::size_t at) const;

  // Units of words, ascending, or none where a unit has only some of its words among them.
  std::vector<std::size_t> units_of(std::span<const std::uint32_t> words) const;
  // The words of units, ascending.
  std::vector<std::uint32_t> words_of(std::span<const std::size_t> units) const;

 private:
  std::string_view text_;
  std::span<const Span> word_bytes_;
  std::vector<facts::Unit> units_;
  std::vector<bool> capital_;
  std::vector<WordLists> lists_;
};

}  // namespace diffie::reshape
