// Which clauses of a sentence say that something is so.
#pragma once

#include "lab/treebank/tree.h"

namespace diffie::treebank {

bool is_negation(const Tree& tree, std::size_t number);
bool is_negated(const Tree& tree, std::size_t verb);
bool has_modal(const Tree& tree, std::size_t verb);  // would, may, ...
bool is_report(const Tree& tree, std::size_t verb);  // said, announced: what follows is told as so
bool is_question(const Tree& tree);

// A main clause, one joined to it by "and" or "but", told by a verb of report, or giving a reason;
// not what is asked, supposed, wanted or depends on a condition. A negated clause is asserted too.
bool is_asserted(const Tree& tree, std::size_t verb);

// The head of the clause that a word is in; the word itself when it is one.
std::size_t clause_of(const Tree& tree, std::size_t number);

}  // namespace diffie::treebank
