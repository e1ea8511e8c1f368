#include "lab/treebank/argument.h"
#include "lab/treebank/asserted.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

// A day or month is no name of what it stands beside.
bool is_date(const Tree& tree, std::size_t number) {
  return is_one_of(tree.word(number).lemma.substr(0, 3),
                   {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan", "Feb", "Mar", "Apr",
                    "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}) &&
         tree.word(number).upos == "PROPN" && tree.word(number).form.size() < 10;
}

bool can_be_described(const Tree& tree, std::size_t number) {
  const auto& word = tree.word(number);
  if (word.upos == "NOUN") return true;
  // A name in capitals; its number is not told, and a title may begin with a preposition.
  const std::size_t preposition = tree.child(number, "case");
  const bool is_title = preposition > 1 && tree.lower(preposition) != tree.word(preposition).form;
  return word.upos == "PROPN" && tree.lower(number) != word.form && !is_date(tree, number) &&
         word.form.find_first_of("@/") == std::string::npos && !is_title &&
         !(word.form != word.lemma && word.form.ends_with("s"));
}

// A noun phrase that says what something is: "the capital of France", not "its members", "mostly".
bool is_description(const Tree& tree, std::size_t noun, const WordSet& words) {
  if (tree.word(noun).upos != "NOUN" || words.size() < 2) return false;
  if (tree.child(noun, "advmod") != 0 || tree.child(noun, "nummod") != 0) return false;
  if (is_one_of(tree.word(noun).lemma, {"team", "staff", "department"})) return false;
  if (tree.word(noun).form.ends_with('.')) return false;  // "pop. 256,000"
  if (tree.child(noun, "case") > noun) return false;
  // "at the Regency , Imperial Ballroom": a name after all.
  const bool is_bare = tree.child(noun, "det") == 0 && tree.child(noun, "nmod:poss") == 0;
  if (is_bare && noun > 1 && tree.lower(noun) != tree.word(noun).form) return false;
  const std::size_t owner = tree.child(noun, "nmod:poss");
  return owner == 0 || !is_one_of(tree.lower(owner), {"its", "their"});
}

std::string copula(const Tree& tree, std::size_t described, std::size_t description) {
  const bool is_past = is_told_in_past(tree, described);
  if (is_plural(tree, description)) return is_past ? "were" : "are";
  return is_past ? "was" : "is";
}

void add_fact(const Tree& tree, std::size_t name, const Argument& name_words,
              std::size_t description, const Argument& description_words,
              std::vector<RuleFact>& facts) {
  const std::size_t outer = tree.word(name).head == description ? description : name;
  facts.push_back({Rule::kAppositions,
                   {tree.text(name_words.words), copula(tree, outer, description),
                    tree.text(description_words.words)}});
}

void apposition(const Tree& tree, std::size_t head, std::size_t other,
                std::vector<RuleFact>& facts) {
  if (!can_be_described(tree, head) || !can_be_described(tree, other)) return;
  const std::size_t first = tree.first(other);
  const auto& mark = tree.word(first).form;
  const bool is_set_off = tree.is_punctuation(first);
  if (is_set_off && (is_one_of(mark, {":", ";", "/", "=", "<"}) || mark.starts_with(".."))) return;
  if (tree.child(head, "advmod") != 0 || tree.child(other, "advmod") != 0) return;
  if (tree.children_of(head, "appos").size() > 1) return;  // a list, as in an address
  if (tree.child(head, "conj") != 0 || tree.child(other, "list") != 0) return;
  const auto left = argument(tree, head, {.without = {other}, .max_words = 12});
  const auto right = argument(tree, other, {.max_words = 15});
  if (!left || !right || right->lost_restriction) return;
  const bool left_is_name = tree.word(head).upos == "PROPN";
  const bool right_is_name = tree.word(other).upos == "PROPN";
  if (left_is_name && !right_is_name && is_set_off && is_description(tree, other, right->words)) {
    return add_fact(tree, head, *left, other, *right, facts);
  }
  const bool is_one = tree.child(other, "conj") == 0 && !is_plural(tree, head);
  if (right_is_name && !left_is_name && is_one && is_description(tree, head, left->words)) {
    return add_fact(tree, other, *right, head, *left, facts);
  }
  const bool both_are_known = is_definite(tree, head) && tree.child(other, "det") != 0;
  if (!left_is_name && !right_is_name && both_are_known &&
      is_plural(tree, head) == is_plural(tree, other) &&
      is_description(tree, other, right->words) && is_set_off) {
    add_fact(tree, head, *left, other, *right, facts);
  }
}

// "Enron CEO Kenneth Lay": more than a title.
void named_role(const Tree& tree, std::size_t name, std::size_t role,
                std::vector<RuleFact>& facts) {
  if (role > name || tree.word(name).upos != "PROPN" || tree.child(name, "conj") != 0) return;
  const auto role_words = argument(tree, role);
  const auto name_words = argument(tree, name, {.without = tree.children_of(name, "nmod:desc")});
  if (!role_words || !name_words || role_words->words.size() < 2) return;
  if (tree.child(role, "conj") != 0 || name_words->words.front() < role) return;
  if (tree.children_of(name, "nmod:desc").size() > 1) return;
  add_fact(tree, name, *name_words, role, *role_words, facts);
}

}  // namespace

std::vector<RuleFact> apposition_facts(const Tree& tree) {
  std::vector<RuleFact> facts;
  if (is_question(tree)) return facts;
  for (std::size_t number = 1; number <= tree.size(); ++number) {
    const std::size_t head = tree.word(number).head;
    if (tree.is(number, "appos")) apposition(tree, head, number, facts);
    if (tree.is(number, "nmod:desc")) named_role(tree, head, number, facts);
  }
  return facts;
}

}  // namespace diffie::treebank
