#include "lab/treebank/asserted.h"

#include <algorithm>

namespace diffie::treebank {
namespace {

bool any_child(const Tree& tree, std::size_t number, auto&& holds) {
  const WordSet& children = tree.children(number);
  return std::any_of(children.begin(), children.end(), holds);
}

bool has_mark(const Tree& tree, std::size_t clause, std::initializer_list<std::string_view> marks) {
  return any_child(tree, clause, [&](std::size_t child) {
    return tree.is_any(child, {"mark", "advmod"}) && is_one_of(tree.lower(child), marks);
  });
}

bool has_condition(const Tree& tree, std::size_t verb) {
  return any_child(tree, verb, [&](std::size_t child) {
    return tree.is(child, "advcl") &&
           has_mark(tree, child, {"if", "unless", "when", "once", "until", "whenever", "lest"});
  });
}

// "Protect the buses and they will explode": a condition, too.
bool is_order(const Tree& tree, std::size_t verb) {
  return tree.word(verb).upos == "VERB" && tree.child(verb, "nsubj") == 0 &&
         tree.child(verb, "aux") == 0 && tree.lower(verb) == tree.word(verb).lemma;
}

// "can you tell me": asked, even without a question mark.
bool is_inverted(const Tree& tree, std::size_t verb) {
  const std::size_t subject = tree.child(verb, "nsubj");
  return any_child(tree, verb, [&](std::size_t child) {
    return tree.is_any(child, {"aux", "cop"}) && child < subject;
  });
}

bool follows_and(const Tree& tree, std::size_t conjunct) {
  // "A , B or C": the conjunction stands with the last.
  for (const std::size_t other : tree.children_of(tree.word(conjunct).head, "conj")) {
    const std::size_t cc = tree.child(other, "cc");
    if (cc != 0 && is_one_of(tree.lower(cc), {"or", "nor", "and/or"})) return false;
  }
  return true;
}

}  // namespace

bool is_negation(const Tree& tree, std::size_t number) {
  return is_one_of(tree.lower(number), {"not", "n't", "n’t", "nt", "never", "no"}) ||
         tree.word(number).lemma == "not";
}

bool is_negated(const Tree& tree, std::size_t verb) {
  return any_child(tree, verb, [&](std::size_t child) {
    return (tree.is(child, "advmod") &&
            (is_negation(tree, child) || is_one_of(tree.lower(child), {"hardly", "rarely"})));
  });
}

bool has_modal(const Tree& tree, std::size_t verb) {
  return any_child(tree, verb, [&](std::size_t child) {
    return tree.is(child, "aux") &&
           is_one_of(tree.word(child).lemma,
                     {"would", "could", "should", "may", "might", "can", "must", "shall", "will"});
  });
}

bool is_report(const Tree& tree, std::size_t verb) {
  return is_one_of(
      tree.word(verb).lemma,
      {"say",   "report", "announce", "state", "add",      "note",    "explain",  "confirm",
       "know",  "show",   "find",     "tell",  "reveal",   "write",   "discover", "learn",
       "admit", "notice", "realize",  "warn",  "conclude", "declare", "mention",  "observe"});
}

bool is_question(const Tree& tree) {
  for (std::size_t number = 1; number <= tree.size(); ++number) {
    if (tree.word(number).form.find('?') != std::string::npos) return true;
  }
  return false;
}

bool is_asserted(const Tree& tree, std::size_t verb) {
  if (is_inverted(tree, verb) || has_condition(tree, verb) ||
      has_mark(tree, verb, {"if", "unless", "lest"}))
    return false;
  const std::size_t head = tree.word(verb).head;
  if (tree.is(verb, "root")) return !is_question(tree);
  if (tree.is(verb, "parataxis")) return !is_question(tree);
  if (tree.is(verb, "conj")) {
    return follows_and(tree, verb) && !is_order(tree, head) && is_asserted(tree, head);
  }
  if (tree.is(verb, "ccomp")) {
    return is_report(tree, head) && !is_negated(tree, head) && !has_modal(tree, head) &&
           !has_mark(tree, verb, {"whether", "if"}) && is_asserted(tree, head);
  }
  if (tree.is(verb, "advcl")) {
    return !has_mark(tree, verb, {"just", "even", "only"}) &&
           has_mark(tree, verb,
                    {"because", "although", "though", "while", "whereas", "after", "since"}) &&
           is_asserted(tree, head);
  }
  return false;
}

std::size_t clause_of(const Tree& tree, std::size_t number) {
  while (!tree.is_any(number, {"root", "ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis"})) {
    if (tree.is(number, "conj") && tree.word(number).upos == "VERB") break;
    number = tree.word(number).head;
  }
  return number;
}

}  // namespace diffie::treebank
