#include "lab/treebank/relation.h"

#include <algorithm>

#include "lab/treebank/asserted.h"

namespace diffie::treebank {
namespace {

void add(WordSet& words, std::size_t number) {
  const auto place = std::lower_bound(words.begin(), words.end(), number);
  if (place == words.end() || *place != number) words.insert(place, number);
}

bool holds(const WordSet& words, std::size_t number) {
  return std::binary_search(words.begin(), words.end(), number);
}

// Adverbs without which the verb would say something else.
bool changes_the_meaning(const Tree& tree, std::size_t adverb) {
  return is_negation(tree, adverb) ||
         is_one_of(tree.lower(adverb), {"hardly", "rarely", "barely", "seldom", "almost", "nearly",
                                        "allegedly", "reportedly"});
}

// Adds the adverbs of `verb` in [begin, end); false when other words stand there.
bool add_between(const Tree& tree, std::size_t verb, std::size_t begin, std::size_t end,
                 WordSet& words) {
  for (std::size_t number = begin; number < end; ++number) {
    if (holds(words, number)) continue;
    std::size_t top = number;
    while (top != 0 && tree.word(top).head != verb) top = tree.word(top).head;
    if (top == 0 || !tree.is(top, "advmod") || tree.is_punctuation(number)) return false;
    add(words, number);
  }
  return true;
}

// The verb with what belongs to it, from its first auxiliary on.
std::optional<WordSet> verb_group(const Tree& tree, std::size_t verb) {
  WordSet words = {verb};
  for (const std::size_t child : tree.children(verb)) {
    if (tree.is(child, "aux")) add(words, child);
  }
  const std::size_t begin = words.front();
  if (words.back() > verb || !add_between(tree, verb, begin, verb, words)) return std::nullopt;
  for (const std::size_t child : tree.children(verb)) {
    if (tree.is(child, "compound:prt")) add(words, child);
    if (!tree.is(child, "advmod") || child > verb) continue;
    if (child + 1 == begin && changes_the_meaning(tree, child)) add(words, child);
    if (is_negation(tree, child) && !holds(words, child)) return std::nullopt;
  }
  return words;
}

// "to buy" after "wants"; "to be" before the predicate; false when it does not follow at once.
bool append_complement(const Tree& tree, std::size_t complement, Relation& relation) {
  WordSet words;
  const std::size_t cop = tree.child(complement, "cop");
  if (tree.word(complement).upos == "VERB") {
    const auto group = verb_group(tree, complement);
    if (!group) return false;
    words = *group;
  } else {
    if (cop == 0) return relation.words.back() < complement;
    add(words, cop);
    for (const std::size_t aux : tree.children_of(complement, "aux")) add(words, aux);
  }
  for (const std::size_t mark : tree.children_of(complement, "mark")) add(words, mark);
  const std::size_t begin = relation.words.back() + 1;
  if (words.front() < begin) return false;
  if (!add_between(tree, complement, words.front(), words.back(), words)) return false;
  if (!add_between(tree, relation.verb, begin, words.front(), relation.words)) return false;
  for (const std::size_t number : words) add(relation.words, number);
  return true;
}

std::optional<Relation> verbal_relation(const Tree& tree, std::size_t verb) {
  const auto group = verb_group(tree, verb);
  if (!group) return std::nullopt;
  Relation relation{*group, verb, 0};
  while (true) {
    const std::size_t complement = tree.child(relation.verb, "xcomp");
    const bool has_object =
        tree.child(relation.verb, "obj") != 0 || tree.child(relation.verb, "iobj") != 0;
    if (complement == 0 || has_object) return relation;
    if (!append_complement(tree, complement, relation)) return std::nullopt;
    relation.verb = complement;
    if (tree.word(complement).upos == "VERB") continue;
    relation.predicate = complement;
    return relation;
  }
}

// Adverbs that say when or whether, not how much: they go with the copula.
bool goes_with_copula(const Tree& tree, std::size_t adverb) {
  return changes_the_meaning(tree, adverb) ||
         is_one_of(tree.lower(adverb),
                   {"always",    "also",      "often",     "still",     "now",        "usually",
                    "already",   "currently", "just",      "only",      "again",      "once",
                    "generally", "probably",  "ever",      "certainly", "definitely", "actually",
                    "really",    "simply",    "sometimes", "clearly",   "therefore",  "indeed"});
}

std::optional<Relation> copular_relation(const Tree& tree, std::size_t predicate) {
  WordSet words = {tree.child(predicate, "cop")};
  const std::size_t cop = words.front();
  for (const std::size_t aux : tree.children_of(predicate, "aux")) add(words, aux);
  if (words.back() != cop || cop > predicate) return std::nullopt;
  if (is_one_of(tree.lower(predicate), {"in", "out", "up", "on", "off", "over", "done"})) {
    return std::nullopt;
  }
  if (!add_between(tree, predicate, words.front(), cop, words)) return std::nullopt;
  for (const std::size_t child : tree.children(predicate)) {
    if (!tree.is(child, "advmod") || !goes_with_copula(tree, child)) continue;
    if (child == words.back() + 1 && tree.children(child).empty()) add(words, child);
    const bool is_left_out = !holds(words, child) && child < predicate;
    if (is_left_out && is_negation(tree, child) && child < cop) return std::nullopt;
  }
  return Relation{words, 0, predicate};
}

}  // namespace

std::optional<Relation> relation_of(const Tree& tree, std::size_t clause) {
  if (tree.child(clause, "cop") != 0) return copular_relation(tree, clause);
  if (tree.word(clause).upos != "VERB") return std::nullopt;
  return verbal_relation(tree, clause);
}

}  // namespace diffie::treebank
