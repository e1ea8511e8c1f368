// A dependency tree to walk: children, phrases' edges, words by what they are.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lab/data/conllu.h"

namespace diffie::treebank {

using WordSet = std::vector<std::size_t>;  // word numbers from 1, ascending

class Tree {
 public:
  explicit Tree(const data::TreeSentence& sentence);  // is kept by reference

  std::size_t size() const { return sentence_.words.size(); }
  const data::TreeWord& word(std::size_t number) const { return sentence_.words[number - 1]; }
  const std::string& lower(std::size_t number) const { return lower_[number - 1]; }  // ASCII
  const WordSet& children(std::size_t number) const { return children_[number]; }    // of 0: root

  // A relation is given without its subtype ("nsubj" for nsubj:pass too) or in full.
  bool is(std::size_t number, std::string_view relation) const;
  bool is_any(std::size_t number, std::initializer_list<std::string_view> relations) const;
  std::size_t child(std::size_t number, std::string_view relation) const;  // the first; 0: none
  WordSet children_of(std::size_t number, std::string_view relation) const;

  bool is_punctuation(std::size_t number) const { return word(number).upos == "PUNCT"; }
  // Has the edge in the enhanced graph.
  bool is_enhanced(std::size_t number, std::size_t head, std::string_view relation) const;

  WordSet subtree(std::size_t number) const;
  // First and last word of a subtree; `first` may be punctuation.
  std::size_t first(std::size_t number) const;
  std::size_t last(std::size_t number) const;

  std::string text(const WordSet& words) const;

 private:
  const data::TreeSentence& sentence_;
  std::vector<std::string> lower_;
  std::vector<WordSet> children_;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

}  // namespace diffie::treebank
