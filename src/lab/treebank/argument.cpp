#include "lab/treebank/argument.h"

#include <algorithm>

namespace diffie::treebank {
namespace {

bool is_quote(const std::string& form) {
  return is_one_of(form, {"\"", "``", "''", "“", "”", "'", "‘", "’"});
}

bool is_set_off(const Tree& tree, std::size_t number) {
  const std::size_t first = tree.first(number);
  if (tree.is_punctuation(first) && !is_quote(tree.word(first).form)) return true;
  // The comma may hang elsewhere.
  return first > 1 && is_one_of(tree.word(first - 1).form, {",", "(", "-LRB-", ";", ":", "--"});
}

// Not part of any phrase that stands for something.
bool is_aside(const Tree& tree, std::size_t number) {
  if (tree.is_any(number, {"acl:relcl", "parataxis", "discourse", "vocative", "reparandum", "list",
                           "dislocated", "orphan", "dep"})) {
    return true;
  }
  return tree.is_any(number, {"appos", "acl", "advcl", "nmod", "obl", "advmod", "amod"}) &&
         number > tree.word(number).head && is_set_off(tree, number);
}

// Words that are joined to a phrase but are a clause of their own: "helpful and gave me a hint".
bool is_joined_clause(const Tree& tree, std::size_t number) {
  if (!tree.is(number, "conj")) return false;
  return tree.word(number).upos == "VERB" || tree.child(number, "cop") != 0 ||
         tree.child(number, "nsubj") != 0 || tree.child(number, "aux") != 0;
}

// "expert at handling it", "ready to go": without it the predicate would say something else.
bool completes_predicate(const Tree& tree, std::size_t clause) {
  const std::size_t mark = tree.child(clause, "mark");
  return mark != 0 && is_one_of(tree.lower(mark), {"to", "at", "in", "of", "about", "with", "for"});
}

// What a head has beside its phrase: the preposition, and what makes a predicate a clause.
bool belongs_to_clause(const Tree& tree, std::size_t number, std::size_t head) {
  if (tree.is_any(number, {"case", "cc", "mark", "nsubj", "csubj", "cop", "aux", "expl"})) {
    return true;
  }
  const std::size_t cop = tree.child(head, "cop");
  if (cop == 0) return false;
  return number < cop || (tree.is(number, "advcl") && !completes_predicate(tree, number));
}

class Collector {
 public:
  Collector(const Tree& tree, std::size_t head, const ArgumentOptions& options)
      : tree_(tree), head_(head), options_(options), is_taken_(tree.size() + 2, false) {
    take(head);
  }

  bool lost_restriction() const { return lost_restriction_; }

  WordSet words() {
    while (drop_loose_punctuation()) {
    }
    WordSet words;
    for (std::size_t number = 1; number <= tree_.size(); ++number) {
      if (is_taken_[number]) words.push_back(number);
    }
    return words;
  }

 private:
  void take(std::size_t number) {
    is_taken_[number] = true;
    for (const std::size_t child : tree_.children(number)) {
      if (std::count(options_.without.begin(), options_.without.end(), child) > 0) continue;
      if (number == head_ && belongs_to_clause(tree_, child, head_)) continue;
      if (number == head_ && tree_.is(child, "conj") && !options_.with_conjuncts) continue;
      if (number == head_ && is_joined_clause(tree_, child)) continue;
      if (is_aside(tree_, child)) {
        lost_restriction_ |= tree_.is(child, "acl:relcl") && !is_set_off(tree_, child);
        continue;
      }
      take(child);
    }
  }

  // At an edge, or beside words that were left out. Quotes stay in pairs.
  bool drop_loose_punctuation() {
    std::size_t quotes = 0;
    bool dropped = false;
    for (std::size_t number = 1; number <= tree_.size(); ++number) {
      if (!is_taken_[number] || !tree_.is_punctuation(number)) continue;
      quotes += is_quote(tree_.word(number).form) ? 1 : 0;
      if (is_taken_[number - 1] && is_taken_[number + 1]) continue;
      is_taken_[number] = false;
      dropped = true;
    }
    if (dropped || quotes % 2 == 0) return dropped;
    for (std::size_t number = 1; number <= tree_.size(); ++number) {
      if (is_quote(tree_.word(number).form)) is_taken_[number] = false;
    }
    return true;
  }

  const Tree& tree_;
  std::size_t head_;
  const ArgumentOptions& options_;
  std::vector<bool> is_taken_;
  bool lost_restriction_ = false;
};

bool has_hole(const Tree& tree, const WordSet& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    for (std::size_t between = words[i - 1] + 1; between < words[i]; ++between) {
      if (!tree.is_punctuation(between)) return true;
    }
  }
  return false;
}

bool has_modifier(const Tree& tree, std::size_t head) {
  const WordSet& children = tree.children(head);
  return std::any_of(children.begin(), children.end(), [&](std::size_t child) {
    return tree.is_any(child, {"det", "nmod:poss", "amod", "nummod", "compound", "flat"});
  });
}

bool may_stand_alone(const Tree& tree, std::size_t head, std::size_t conjunct) {
  const auto& upos = tree.word(conjunct).upos;
  if (upos != "PROPN" && upos != tree.word(head).upos) return false;
  const std::size_t cc = tree.child(conjunct, "cc");
  if (cc != 0 && tree.lower(cc) != "and") return false;
  if (tree.child(conjunct, "nsubj") != 0 || tree.child(conjunct, "cop") != 0) return false;
  if (tree.child(conjunct, "advmod") != 0 && upos == "NOUN") return false;
  // "in fits and starts", "by day and night".
  const bool are_bare = !has_modifier(tree, head) && !has_modifier(tree, conjunct);
  if (tree.is(head, "obl") && upos == "NOUN" && are_bare) return false;
  // "his wife and children", "no food and water": the first word counts for both.
  const bool shares = tree.child(head, "nmod:poss") != 0 || tree.child(head, "nummod") != 0 ||
                      tree.child(head, "amod") != 0 || tree.child(head, "det:predet") != 0;
  if (shares && upos == "NOUN" && !has_modifier(tree, conjunct)) return false;
  const std::size_t case_of_head = tree.child(head, "case");
  const std::size_t case_of_conjunct = tree.child(conjunct, "case");
  return case_of_conjunct == 0 ||
         (case_of_head != 0 && tree.lower(case_of_head) == tree.lower(case_of_conjunct));
}

}  // namespace

std::optional<Argument> argument(const Tree& tree, std::size_t head,
                                 const ArgumentOptions& options) {
  Collector collector(tree, head, options);
  Argument found{collector.words(), collector.lost_restriction()};
  if (found.words.empty() || found.words.size() > options.max_words) return std::nullopt;
  if (has_hole(tree, found.words)) return std::nullopt;
  if (is_one_of(tree.lower(found.words.back()), {"what", "who", "which", "where", "whom"})) {
    return std::nullopt;  // "copies of what [we do]"
  }
  if (found.lost_restriction && needs_restriction(tree, found.words)) return std::nullopt;
  return found;
}

WordSet conjuncts(const Tree& tree, std::size_t head) {
  const WordSet others = tree.children_of(head, "conj");
  if (others.empty()) return {head};
  WordSet heads = {head};
  bool has_and = false;
  for (const std::size_t conjunct : others) {
    if (!may_stand_alone(tree, head, conjunct)) return {head};
    if (!argument(tree, conjunct)) return {head};
    has_and |= tree.child(conjunct, "cc") != 0;
    heads.push_back(conjunct);
  }
  const std::size_t case_word = tree.child(head, "case");
  const bool is_pair =
      tree.child(head, "cc:preconj") != 0 || (case_word != 0 && tree.lower(case_word) == "between");
  const auto first = argument(tree, head, {.with_conjuncts = false});
  // "the king and queen of Spain": what follows the last belongs to both.
  if (!has_and || is_pair || !first || first->words.back() > others.front()) return {head};
  return heads;
}

bool needs_restriction(const Tree& tree, const WordSet& words) {
  return std::any_of(words.begin(), words.end(), [&](std::size_t number) {
    const std::string& form = tree.lower(number);
    return form.ends_with("est") ||
           is_one_of(form, {"only", "first", "last", "most", "least", "worst", "one", "same", "all",
                            "every", "kind", "such"});
  });
}

bool is_definite(const Tree& tree, std::size_t head) {
  if (tree.word(head).upos == "PROPN" || tree.child(head, "nmod:poss") != 0) return true;
  const std::size_t det = tree.child(head, "det");
  return det != 0 && is_one_of(tree.lower(det), {"the", "this", "that", "these", "those"});
}

}  // namespace diffie::treebank
