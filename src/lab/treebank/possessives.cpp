#include "lab/treebank/argument.h"
#include "lab/treebank/asserted.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

// What one has: relatives, people in an office, things and parts. Most other nouns after a
// possessive are deeds ("Iran 's attack"), times or qualities.
bool can_be_had(const Tree& tree, std::size_t noun) {
  return is_one_of(
      tree.word(noun).lemma,
      {"brother",      "sister",       "wife",       "husband",     "father",     "mother",
       "son",          "daughter",     "friend",     "partner",     "uncle",      "aunt",
       "cousin",       "parent",       "child",      "kid",         "family",     "grandfather",
       "grandmother",  "president",    "minister",   "director",    "founder",    "leader",
       "manager",      "chairman",     "spokesman",  "spokeswoman", "lawyer",     "assistant",
       "editor",       "owner",        "staff",      "army",        "military",   "government",
       "parliament",   "constitution", "economy",    "capital",     "population", "border",
       "headquarters", "office",       "website",    "store",       "house",      "car",
       "dog",          "cat",          "bike",       "phone",       "camera",     "computer",
       "boat",         "ship",         "plane",      "company",     "team",       "band",
       "album",        "book",         "novel",      "song",        "blog",       "toolbar",
       "network",      "library",      "museum",     "airport",     "river",      "party",
       "police",       "supporter",    "fan",        "customer",    "employee",   "program",
       "budget",       "fleet",        "arsenal",    "industry",    "neighbour",  "neighbor",
       "boss",         "secretary",    "ambassador", "adviser",     "advisor"});
}

// Inside an if-clause, or in a clause that has one.
bool is_in_condition(const Tree& tree, std::size_t number) {
  for (; number != 0; number = tree.word(number).head) {
    for (const std::size_t child : tree.children(number)) {
      const std::size_t mark = tree.is(child, "advcl") ? tree.child(child, "mark") : child;
      if (mark != 0 && is_one_of(tree.lower(mark), {"if", "unless"})) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<RuleFact> possessive_facts(const Tree& tree) {
  std::vector<RuleFact> facts;
  if (is_question(tree)) return facts;
  for (std::size_t owner = 1; owner <= tree.size(); ++owner) {
    const std::size_t noun = tree.word(owner).head;
    if (!tree.is(owner, "nmod:poss") || !is_one_of(tree.word(owner).upos, {"NOUN", "PROPN"}))
      continue;
    if (tree.word(noun).upos != "NOUN" || !can_be_had(tree, noun)) continue;
    if (tree.child(owner, "case") == 0 || tree.child(noun, "conj") != 0) continue;
    if (!is_definite(tree, owner) || tree.child(owner, "conj") != 0) continue;
    if (is_in_condition(tree, owner)) continue;
    const bool is_inflected = tree.word(owner).form != tree.word(owner).lemma;
    if (tree.word(owner).form.ends_with("s") && (is_inflected || tree.child(owner, "det") != 0)) {
      continue;  // a plural: "have" is no implied word
    }
    const auto subject = argument(tree, owner, {.max_words = 8});
    const auto object = argument(tree, noun, {.without = {owner}, .max_words = 8});
    if (!subject || !object || subject->lost_restriction) continue;
    const std::string verb = is_told_in_past(tree, owner) ? "had" : "has";
    facts.push_back(
        {Rule::kPossessives, {tree.text(subject->words), verb, tree.text(object->words)}});
  }
  return facts;
}

}  // namespace diffie::treebank
