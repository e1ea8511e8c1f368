// What a reader trips over at the edges of a slot: marks, list numbers, conjunctions; and triples
// that say nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/selector.h"
#include "extract/tidy_words.h"

namespace diffie::extract {

// A code point of it is a letter or a digit.
bool has_letter_or_digit(std::string_view word);

// The words of a sentence, without the implied ones, with what is known of each: made once for all
// its triples. Beyond either end there is nothing.
class TidySentence {
 public:
  // `words` as in CandidateSet, lower-cased, the implied ones last; borrowed.
  TidySentence(std::span<const std::string> words, std::size_t num_implied);

  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t word) const {
    return word < words_.size() ? std::string_view(words_[word]) : std::string_view();
  }
  std::string_view before(std::size_t word) const {
    return word == 0 ? std::string_view() : (*this)[word - 1];
  }
  bool in(std::size_t word, TidyLists any) const {
    return word < lists_.size() && (lists_[word] & any) != 0;
  }
  bool has_letter_or_digit(std::size_t word) const {
    return word < has_letter_or_digit_.size() && has_letter_or_digit_[word];
  }
  // The first of the three words of each "isn ' t".
  std::span<const std::uint32_t> negations() const { return negations_; }

 private:
  std::span<const std::string> words_;
  std::vector<TidyLists> lists_;
  std::vector<bool> has_letter_or_digit_;
  std::vector<std::uint32_t> negations_;
};

// Takes words away from the edges of the slots, never any from between, and adds to subject and
// object the marks and conjunctions that stand between two of their words; tidying twice is tidying
// once. False, with the triple in no particular state, when what is left says
// nothing or something else: a slot without a letter or digit, a subject or object of function
// words alone, a relation without a verb or noun or one that ends with a conjunction, half of
// "isn't".
bool tidy_triple(Triple& triple, const TidySentence& sentence);

}  // namespace diffie::extract
