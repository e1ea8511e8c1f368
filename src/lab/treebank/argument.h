// The words of an argument: a head's subtree without what does not belong to its name.
#pragma once

#include <optional>

#include "lab/treebank/tree.h"

namespace diffie::treebank {

struct ArgumentOptions {
  bool with_conjuncts = true;  // "A and B" for the head A, or A alone
  WordSet without = {};        // children that are left out with all below them
  std::size_t max_words = 16;
};

struct Argument {
  WordSet words;
  // A relative clause that says which one is meant was left out: "people" of "people who smoke".
  bool lost_restriction = false;
};

// Left out are: the head's preposition, relative clauses, and whatever is set off by a comma or
// bracket (appositions, remarks); of a predicate also its subject, copula and adverbial clauses.
// nullopt when the words that remain are none, too many, not in one piece, or mean nothing without
// the relative clause.
std::optional<Argument> argument(const Tree& tree, std::size_t head,
                                 const ArgumentOptions& options = {});

// The heads of a coordination that may be told apart, each its own fact; the head alone where there
// is no coordination or it must stay together ("A or B", "his wife and children").
WordSet conjuncts(const Tree& tree, std::size_t head);

// "the only", "the best", "all": said of those that a relative clause names, not of any others.
bool needs_restriction(const Tree& tree, const WordSet& words);

// "the", "this", "my", a name: which one is meant is known without a relative clause.
bool is_definite(const Tree& tree, std::size_t head);

}  // namespace diffie::treebank
