#include "lab/treebank/tree.h"

#include <algorithm>

namespace diffie::treebank {
namespace {

std::string ascii_lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool matches(std::string_view deprel, std::string_view relation) {
  return deprel.starts_with(relation) &&
         (deprel.size() == relation.size() || deprel[relation.size()] == ':');
}

}  // namespace

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Tree::Tree(const data::TreeSentence& sentence)
    : sentence_(sentence), children_(sentence.words.size() + 1) {
  for (std::size_t number = 1; number <= size(); ++number) {
    lower_.push_back(ascii_lower(word(number).form));
    children_[word(number).head].push_back(number);
  }
}

bool Tree::is(std::size_t number, std::string_view relation) const {
  return matches(word(number).deprel, relation);
}

bool Tree::is_any(std::size_t number, std::initializer_list<std::string_view> relations) const {
  return std::any_of(relations.begin(), relations.end(),
                     [&](std::string_view relation) { return is(number, relation); });
}

std::size_t Tree::child(std::size_t number, std::string_view relation) const {
  for (const std::size_t child : children(number)) {
    if (is(child, relation)) return child;
  }
  return 0;
}

WordSet Tree::children_of(std::size_t number, std::string_view relation) const {
  WordSet found;
  for (const std::size_t child : children(number)) {
    if (is(child, relation)) found.push_back(child);
  }
  return found;
}

bool Tree::is_enhanced(std::size_t number, std::size_t head, std::string_view relation) const {
  const auto& edges = word(number).enhanced;
  return std::any_of(edges.begin(), edges.end(), [&](const data::EnhancedHead& edge) {
    return edge.head == head && edge.empty == 0 && matches(edge.deprel, relation);
  });
}

WordSet Tree::subtree(std::size_t number) const {
  WordSet words = {number};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const WordSet& below = children(words[i]);
    words.insert(words.end(), below.begin(), below.end());
  }
  std::sort(words.begin(), words.end());
  return words;
}

std::size_t Tree::first(std::size_t number) const { return subtree(number).front(); }
std::size_t Tree::last(std::size_t number) const { return subtree(number).back(); }

std::string Tree::text(const WordSet& words) const {
  std::string out;
  for (const std::size_t number : words) {
    if (!out.empty()) out += ' ';
    out += word(number).form;
  }
  return out;
}

}  // namespace diffie::treebank
