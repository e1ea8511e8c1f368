#include "lab/treebank/asserted.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

bool is_past_form(const Tree& tree, std::size_t verb) {
  const std::string& form = tree.lower(verb);
  const std::string& lemma = tree.word(verb).lemma;
  if (lemma == "be") return form == "was" || form == "were";
  return form != lemma && !form.ends_with("ing") && !form.ends_with("s") && !form.ends_with("'m");
}

}  // namespace

bool is_told_in_past(const Tree& tree, std::size_t number) {
  const std::size_t clause = clause_of(tree, number);
  if (is_report(tree, clause)) return false;
  std::size_t finite = clause;
  for (const std::size_t child : tree.children(clause)) {
    if (tree.is_any(child, {"aux", "cop"})) {
      finite = child;
      break;
    }
  }
  const auto& upos = tree.word(finite).upos;
  if (upos != "VERB" && upos != "AUX") return false;
  if (tree.is(clause, "acl") || tree.is(clause, "xcomp")) {
    return is_told_in_past(tree, tree.word(clause).head);
  }
  return is_past_form(tree, finite);
}

// The treebanks need not say the number; a plural differs from its lemma.
bool is_plural(const Tree& tree, std::size_t noun) {
  const auto& word = tree.word(noun);
  if (word.feats.find("Number=Plur") != std::string::npos) return true;
  return word.upos == "NOUN" && tree.lower(noun) != word.lemma && tree.lower(noun).ends_with("s");
}

}  // namespace diffie::treebank
