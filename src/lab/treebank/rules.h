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

// "is", "are", "was" or "were" (or "has", "had") as the clause of this word has it; verbs that
// report leave the present.
bool is_told_in_past(const Tree& tree, std::size_t number);
bool is_plural(const Tree& tree, std::size_t noun);

}  // namespace diffie::treebank
