#include "lab/treebank/asserted.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

bool is_clause(const Tree& tree, std::size_t number) {
  return tree.word(number).upos == "VERB" || tree.child(number, "cop") != 0;
}

// Verbs that share a subject: "wrote the book and sold it".
bool shares_subject(const Tree& tree, std::size_t clause) {
  if (tree.is(clause, "conj") && tree.child(clause, "nsubj") == 0) return true;
  for (const std::size_t other : tree.children_of(clause, "conj")) {
    if (is_clause(tree, other) && tree.child(other, "nsubj") == 0) return true;
  }
  return false;
}

// "was defeated and agreed": a past form, not a participle like "was designed and built".
bool is_active(const Tree& tree, std::size_t verb) {
  const std::string& form = tree.lower(verb);
  if (form.ends_with("s") || tree.child(verb, "obj") != 0 || tree.child(verb, "ccomp") != 0) {
    return true;
  }
  return is_one_of(tree.word(verb).lemma,
                   {"agree",  "die",      "become", "go",     "come",  "return", "arrive", "remain",
                    "stay",   "move",     "live",   "fall",   "rise",  "appear", "begin",  "start",
                    "escape", "continue", "flee",   "retire", "serve", "stand",  "grow",   "work",
                    "have",   "survive",  "say",    "speak",  "end",   "seem",   "lead",   "run"});
}

// The auxiliaries of `first` that `second` needs too; nullopt when that cannot be told.
std::optional<WordSet> shared_auxiliaries(const Tree& tree, std::size_t first, std::size_t second) {
  const WordSet own = tree.children_of(second, "aux");
  const WordSet earlier = tree.children_of(first, "aux");
  if (!own.empty() || tree.child(second, "cop") != 0) return WordSet{};
  const std::size_t subject = tree.child(first, "nsubj");
  const std::string& form = tree.lower(second);
  if (tree.child(first, "cop") != 0) {
    // "is helpful and gives advice", but not "is new and made of steel", "is happy and singing".
    const bool is_finite = earlier.empty() && !form.ends_with("ing") &&
                           tree.is_enhanced(subject, second, "nsubj") &&
                           !tree.is_enhanced(subject, second, "nsubj:pass");
    return is_finite ? std::optional(WordSet{}) : std::nullopt;
  }
  if (is_negated(tree, first) && !is_negated(tree, second) && !earlier.empty()) return std::nullopt;
  const bool is_base = form == tree.word(second).lemma;
  if (earlier.empty()) {
    // "They said this is new and want money": whoever wants, it is not "this".
    const bool agrees =
        !is_base || !is_one_of(tree.lower(subject), {"he", "she", "it", "this", "that"});
    return agrees ? std::optional(WordSet{}) : std::nullopt;
  }
  if (tree.child(first, "aux:pass") != 0) {
    if (form.ends_with("ing") || is_base || tree.child(second, "xcomp") != 0) return std::nullopt;
    return is_active(tree, second) ? WordSet{} : earlier;
  }
  const std::string& last = tree.word(earlier.back()).lemma;
  if (last == "be") return form.ends_with("ing") ? std::optional(earlier) : std::nullopt;
  if (last == "have") return std::nullopt;  // "has lost and won", "has lost and went": not told
  return is_base ? std::optional(earlier) : std::nullopt;
}

// "I could not go there and ask": denied of both together.
bool denies_the_next(const Tree& tree, std::size_t clause) {
  if (!is_negated(tree, clause)) return false;
  for (const std::size_t next : tree.children_of(clause, "conj")) {
    if (tree.child(next, "nsubj") == 0 && tree.child(next, "aux") == 0) return true;
  }
  return false;
}

std::vector<Fact> facts_of_clause(const Tree& tree, std::size_t clause) {
  if (denies_the_next(tree, clause)) return {};
  if (const auto subject = subject_of(tree, clause)) return clause_facts(tree, clause, *subject);
  const std::size_t first = tree.word(clause).head;
  if (!tree.is(clause, "conj") || tree.child(clause, "nsubj") != 0 ||
      tree.child(clause, "expl") != 0 || tree.child(clause, "csubj") != 0 ||
      tree.child(clause, "mark") != 0 || !is_clause(tree, first)) {
    return {};
  }
  const auto subject = subject_of(tree, first);
  if (!subject || subject->head > first) return {};
  if (is_one_of(tree.lower(subject->head), {"nobody", "none", "nothing", "one"})) return {};
  const auto auxiliaries = shared_auxiliaries(tree, first, clause);
  if (!auxiliaries) return {};
  return clause_facts(tree, clause, *subject, *auxiliaries);
}

}  // namespace

std::vector<RuleFact> main_clause_facts(const Tree& tree) {
  std::vector<RuleFact> facts;
  for (std::size_t number = 1; number <= tree.size(); ++number) {
    if (!is_clause(tree, number) || !is_asserted(tree, number)) continue;
    const bool shares = shares_subject(tree, number);
    for (const Fact& fact : facts_of_clause(tree, number)) {
      const Rule rule = shares || fact.is_coordinated ? Rule::kCoordination
                        : fact.is_nested              ? Rule::kNested
                                                      : Rule::kPlain;
      facts.push_back({rule, fact});
    }
  }
  return facts;
}

}  // namespace diffie::treebank
