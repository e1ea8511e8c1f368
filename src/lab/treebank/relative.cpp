#include "lab/treebank/argument.h"
#include "lab/treebank/asserted.h"
#include "lab/treebank/relation.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

// "They found no place that sells it": there need not be one. A name or "the" says that there is.
bool exists(const Tree& tree, std::size_t noun) {
  const std::size_t det = tree.child(noun, "det");
  if (det != 0 && is_one_of(tree.lower(det), {"no", "any", "every", "each", "what", "which"})) {
    return false;
  }
  if (is_question(tree)) return false;
  if (is_one_of(tree.word(noun).lemma, {"thing", "time", "way", "reason", "fact", "one", "stuff",
                                        "day", "anything", "kind", "most"})) {
    return false;
  }
  const std::size_t clause = clause_of(tree, noun);
  const bool is_fragment = tree.word(clause).upos != "VERB" && tree.child(clause, "cop") == 0;
  if (is_fragment || tree.child(noun, "advmod") != 0) return false;
  if (is_definite(tree, noun)) return true;
  return is_asserted(tree, clause) && !is_negated(tree, clause) && !has_modal(tree, clause);
}

bool is_relative_pronoun(const Tree& tree, std::size_t number) {
  return is_one_of(tree.lower(number), {"who", "which", "that", "whom"});
}

// (he; wrote; the book) of "the book that he wrote".
std::vector<Fact> object_relative(const Tree& tree, std::size_t noun, std::size_t clause) {
  if (!tree.is_enhanced(noun, clause, "obj")) return {};
  const auto subject = subject_of(tree, clause);
  const auto relation = relation_of(tree, clause);
  const auto object = argument(tree, noun, {.without = {clause}});
  if (!subject || !relation || !object || relation->verb != clause) return {};
  if (needs_restriction(tree, object->words)) return {};
  if (tree.child(clause, "xcomp") != 0 || tree.child(clause, "ccomp") != 0) return {};
  if (has_modal(tree, clause) || subject->together == "you") return {};
  if (is_one_of(tree.word(clause).lemma, {"want", "need", "become", "wish", "like", "love"}))
    return {};
  return {{subject->together, tree.text(relation->words), tree.text(object->words)}};
}

std::vector<Fact> relative_clause(const Tree& tree, std::size_t noun, std::size_t clause) {
  const std::size_t pronoun = tree.child(clause, "nsubj");
  if (pronoun == 0 || !is_relative_pronoun(tree, pronoun)) {
    return object_relative(tree, noun, clause);
  }
  const auto subject = named_subject(tree, noun, {clause});
  return subject ? clause_facts(tree, clause, *subject) : std::vector<Fact>{};
}

// "a book written by Z", "cases involving fraud".
std::vector<Fact> reduced_relative(const Tree& tree, std::size_t noun, std::size_t clause) {
  const auto& verb = tree.word(clause);
  if (verb.upos != "VERB" || clause < noun || tree.child(clause, "mark") != 0) return {};
  if (tree.child(clause, "nsubj") != 0 || tree.child(clause, "aux") != 0) return {};
  if (tree.child(clause, "xcomp") != 0 && tree.word(tree.child(clause, "xcomp")).upos == "VERB")
    return {};
  if (is_one_of(verb.lemma, {"include", "regard", "concern", "follow", "give", "compare"}))
    return {};
  const bool is_participle = tree.lower(clause) != verb.lemma;
  const auto subject = named_subject(tree, noun, {clause});
  if (!is_participle || !subject) return {};
  return clause_facts(tree, clause, *subject);
}

}  // namespace

std::vector<RuleFact> relative_facts(const Tree& tree) {
  std::vector<RuleFact> facts;
  for (std::size_t clause = 1; clause <= tree.size(); ++clause) {
    if (!tree.is(clause, "acl")) continue;
    const std::size_t noun = tree.word(clause).head;
    if (!is_one_of(tree.word(noun).upos, {"NOUN", "PROPN"}) || !exists(tree, noun)) continue;
    const bool is_full = tree.is(clause, "acl:relcl");
    for (const Fact& fact :
         is_full ? relative_clause(tree, noun, clause) : reduced_relative(tree, noun, clause)) {
      facts.push_back({Rule::kRelative, fact});
    }
  }
  return facts;
}

}  // namespace diffie::treebank
