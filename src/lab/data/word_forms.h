// Whether two words are forms of one: Snowball's English stemmer (Porter 2), with WordNet's lists
// of irregular forms (said, grew, men) in front of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

// One per thread: the stemmer keeps a buffer.
class WordForms {
 public:
  WordForms();
  ~WordForms();
  WordForms(WordForms&&) noexcept;

  // Whether the build has the stemmer and the lists. Without them a word has no other form.
  static bool available();

  // Sorted stems of a lower-cased word: its own and those of its irregular lemmas. Empty for what
  // is no plain word (digits, fewer than three letters but for forms of be, do, go).
  std::vector<std::string> stems(std::string_view word);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether two sorted lists have a common element.
bool share_stem(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace diffie::data
