// The facts of one clause: its subject, its verbs, and each of its objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/treebank/tree.h"

namespace diffie::treebank {

struct Fact {
  std::string subject;
  std::string relation;
  std::string object;
  bool is_coordinated = false;  // one of several that the sentence tells together
  bool is_nested = false;       // the object stands inside the object of another fact
};

struct Subject {
  std::vector<std::string> names;  // more than one: each of them does what the verb says
  std::string together;            // all of them in one
  std::size_t head = 0;
};

// The subject of a clause with this head, as the sentence names it; nullopt for none, for question
// words and "there", and where a relative clause decides who is meant.
std::optional<Subject> subject_of(const Tree& tree, std::size_t clause);

// A subject with this head. `without`: the relative clause whose facts are looked for.
std::optional<Subject> named_subject(const Tree& tree, std::size_t head,
                                     const WordSet& without = {});

// Facts with verb, adjective or noun (with a copula) as head of the clause. None when it has no
// object, or when the words of the relation do not stand together. `shared_auxiliaries` of an
// earlier clause count for this one too: "was designed and built".
std::vector<Fact> clause_facts(const Tree& tree, std::size_t clause, const Subject& subject,
                               const WordSet& shared_auxiliaries = {});

}  // namespace diffie::treebank
