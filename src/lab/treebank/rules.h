// What each rule reads off a tree.
#pragma once

#include <vector>

#include "diffie/lab/treebank.h"
#include "lab/treebank/clause.h"
#include "lab/treebank/tree.h"

namespace diffie::treebank {

struct RuleFact {
  Rule rule;
  Fact fact;
};

std::vector<RuleFact> main_clause_facts(const Tree& tree);  // plain, coordination, nested
std::vector<RuleFact> relative_facts(const Tree& tree);
std::vector<RuleFact> apposition_facts(const Tree& tree);
std::vector<RuleFact> possessive_facts(const Tree& tree);

// Whether an implied verb is "was" or "is": as the verb of the word's clause. Who "said" something
// still is what he is.
bool is_told_in_past(const Tree& tree, std::size_t number);
bool is_plural(const Tree& tree, std::size_t noun);

}  // namespace diffie::treebank
