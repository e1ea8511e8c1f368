// The words of a relation: verbs with their auxiliaries, or a copula.
#pragma once

#include <optional>

#include "lab/treebank/tree.h"

namespace diffie::treebank {

struct Relation {
  WordSet words;              // "does n't want to buy", "was never"
  std::size_t verb = 0;       // whose objects count: "buy"; 0 for a copula
  std::size_t predicate = 0;  // what the subject is or becomes, head of a phrase; 0: none
};

// Of a clause with this head: auxiliaries, negation, the adverbs between them, particles, and verbs
// that follow without an object of their own ("wants to buy"). nullopt for a question's word order
// and when other words stand among them.
std::optional<Relation> relation_of(const Tree& tree, std::size_t clause);

}  // namespace diffie::treebank
