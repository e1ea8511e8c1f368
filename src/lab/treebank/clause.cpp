#include "lab/treebank/clause.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/treebank/argument.h"
#include "lab/treebank/asserted.h"
#include "lab/treebank/relation.h"

namespace diffie::treebank {
namespace {

constexpr std::size_t kMaxSubjectWords = 12;
constexpr std::size_t kMaxRelationWords = 8;

bool is_question_word(const Tree& tree, std::size_t number) {
  return is_one_of(tree.lower(number), {"what", "which", "who", "whom", "whose", "how", "where",
                                        "when", "why", "whatever", "whoever"});
}

bool is_nominal(const Tree& tree, std::size_t number) {
  return is_one_of(tree.word(number).upos, {"NOUN", "PROPN", "PRON", "NUM", "SYM"});
}

// Says something by itself: no question word, and not a function word alone.
bool can_be_slot(const Tree& tree, const WordSet& words) {
  if (words.empty() || is_question_word(tree, words.front())) return false;
  if (words.size() > 1) return true;
  const std::size_t only = words.front();
  return is_one_of(tree.word(only).upos, {"NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB"}) &&
         !is_one_of(tree.lower(only), {"such", "same", "other", "so", "one", "there", "something",
                                       "anything", "everything", "nothing", "someone"});
}

// A phrase after a relation: the words that lead to it, its preposition, and itself.
struct Object {
  WordSet lead;         // between the relation and the preposition: "him" of "told him about it"
  WordSet preposition;  // its words, in the sentence's order
  WordSet words;
  bool is_fronted = false;  // stands before the subject: "In 1927 , it was formed"
  bool is_coordinated = false;
  bool is_nested = false;
};

WordSet joined(WordSet left, const WordSet& right) {
  left.insert(left.end(), right.begin(), right.end());
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  return left;
}

WordSet preposition_of(const Tree& tree, std::size_t head) {
  WordSet words;
  for (const std::size_t word : tree.children_of(head, "case")) {
    if (word < head) words = joined(words, tree.subtree(word));
  }
  return words;
}

bool is_time(const Tree& tree, std::size_t number) {
  return is_one_of(
      tree.word(number).lemma,
      {"day",    "week",    "month",     "year",     "today",  "yesterday", "tomorrow",
       "night",  "morning", "afternoon", "evening",  "Monday", "Tuesday",   "Wednesday",
       "Friday", "Sunday",  "Thursday",  "Saturday", "hour",   "minute",    "time",
       "decade", "century", "tonight",   "summer",   "winter"});
}

class ClauseReader {
 public:
  ClauseReader(const Tree& tree, std::size_t clause, Relation relation)
      : tree_(tree), clause_(clause), relation_(std::move(relation)) {}

  std::vector<Object> objects() {
    if (relation_.predicate != 0) {
      predicate();
    } else {
      direct_object();
      for (const std::size_t child : tree_.children(relation_.verb)) {
        if (tree_.is_any(child, {"obl", "nmod:unmarked"})) oblique(child);
        if (tree_.is(child, "ccomp")) content_clause(child);
      }
    }
    return std::move(objects_);
  }

 private:
  void push(Object object, std::size_t head, const std::optional<Argument>& found) {
    if (!found || !can_be_slot(tree_, found->words)) return;
    // "They found no place that sells it" does not say that they found no place.
    if (found->lost_restriction && is_negated(tree_, clause_)) return;
    if (tree_.word(head).upos == "PRON" && found->lost_restriction) return;
    object.words = found->words;
    if (!found->lost_restriction) nested(object, head);
    objects_.push_back(std::move(object));
  }

  // One object for each conjunct, or one for all.
  void push_each(const Object& object, std::size_t head, const WordSet& without = {}) {
    const WordSet heads = conjuncts(tree_, head);
    for (const std::size_t each : heads) {
      Object one = object;
      one.is_coordinated = heads.size() > 1;
      push(one, each,
           argument(tree_, each, {.with_conjuncts = heads.size() == 1, .without = without}));
    }
  }

  void predicate() {
    const std::size_t head = relation_.predicate;
    WordSet without;
    for (const std::size_t child : tree_.children(head)) {
      const auto& words = relation_.words;
      if (std::binary_search(words.begin(), words.end(), child)) without.push_back(child);
    }
    Object object;
    object.preposition = preposition_of(tree_, head);
    if (!object.preposition.empty() && object.preposition.front() < relation_.words.back()) return;
    // "the team is Tom and Anna": only what has an article of its own is said of the subject alone.
    bool may_split = true;
    for (const std::size_t each : tree_.children_of(head, "conj")) {
      may_split &= tree_.word(each).upos == "ADJ" || tree_.child(each, "det") != 0;
    }
    if (may_split) return push_each(object, head, without);
    push(object, head, argument(tree_, head, {.without = without}));
  }

  std::size_t object_word() const {
    if (const std::size_t own = tree_.child(relation_.verb, "obj")) return own;
    for (std::size_t number = relation_.verb + 1; number <= tree_.size(); ++number) {
      if (tree_.is_enhanced(number, relation_.verb, "obj") && tree_.is(number, "obj"))
        return number;
    }
    return 0;
  }

  // The words between the verb and `end`, all of them its objects and adverbs; nullopt if not.
  std::optional<WordSet> lead_to(std::size_t end) const {
    WordSet words;
    for (std::size_t number = relation_.verb + 1; number < end; ++number) {
      const auto& verbs = relation_.words;
      if (std::binary_search(verbs.begin(), verbs.end(), number)) continue;
      if (tree_.is_punctuation(number) ||
          tree_.is_any(number, {"acl:relcl", "appos", "parataxis"})) {
        return std::nullopt;
      }
      std::size_t top = number;
      while (top != 0 && tree_.word(top).head != relation_.verb) top = tree_.word(top).head;
      if (top == 0 || !tree_.is_any(top, {"obj", "iobj", "obl", "advmod", "nmod:unmarked"})) {
        return std::nullopt;
      }
      words.push_back(number);
    }
    return words;
  }

  void direct_object() {
    const std::size_t head = object_word();
    if (head < relation_.verb ||
        !is_one_of(tree_.word(head).upos, {"NOUN", "PROPN", "PRON", "NUM", "SYM", "ADJ", "DET"})) {
      return;
    }
    Object object;
    if (tree_.word(head).head == relation_.verb) {
      const auto lead = lead_to(tree_.first(head));
      if (!lead) return;
      object.lead = *lead;
    }
    const std::size_t complement = tree_.child(relation_.verb, "xcomp");
    if (complement == 0 && leaves_the_verb_open(head)) return;
    if (complement == 0) return push_each(object, head);
    object_with_complement(object, head, complement);
  }

  // "put the book", "allied itself": not without where or with whom.
  bool leaves_the_verb_open(std::size_t object) const {
    if (tree_.lower(object).ends_with("self") || tree_.lower(object).ends_with("selves"))
      return true;
    return tree_.child(relation_.verb, "obl") > object &&
           is_one_of(tree_.word(relation_.verb).lemma,
                     {"put", "place", "base", "keep", "leave", "turn", "set", "send", "bring"});
  }

  // "made him angry", "asked her to go": one object of both.
  void object_with_complement(Object object, std::size_t head, std::size_t complement) {
    const auto first = argument(tree_, head);
    const auto second = clause_words(complement);
    if (!first || !second || second->front() != first->words.back() + 1) return;
    object.words = joined(first->words, *second);
    if (object.words.size() <= ArgumentOptions().max_words) objects_.push_back(object);
  }

  void oblique(std::size_t head) {
    const bool is_unmarked = tree_.is_any(head, {"obl:unmarked", "nmod:unmarked"});
    if (is_unmarked ? !is_time(tree_, head) : !is_nominal(tree_, head)) return;
    Object object;
    object.preposition = preposition_of(tree_, head);
    if (object.preposition.empty() != is_unmarked) return;
    if (!is_unmarked &&
        is_one_of(tree_.lower(object.preposition.front()),
                  {"according", "like", "than", "including", "except", "instead", "such", "due",
                   "thanks", "regarding", "unlike", "per", "besides", "as"}) &&
        !(tree_.lower(object.preposition.front()) == "as" && object.preposition.size() == 1)) {
      return;
    }
    const std::size_t begin = tree_.first(head);
    if (begin < relation_.words.front()) {
      // "On the other hand", "For example" are no places or times.
      const bool is_place_or_time = is_time(tree_, head) || tree_.word(head).upos != "NOUN";
      object.is_fronted = true;
      if (!is_place_or_time || !add_object_to(object)) return;
    } else {
      const std::size_t lead_end = is_unmarked ? begin : object.preposition.front();
      const auto lead = lead_to(lead_end);
      if (!lead) return;
      object.lead = *lead;
    }
    push_each(object, head);
  }

  // A fronted phrase belongs to verb and object together.
  bool add_object_to(Object& fronted) const {
    const std::size_t head = object_word();
    for (const std::size_t child : tree_.children(relation_.verb)) {
      if (tree_.is_any(child, {"xcomp", "ccomp"})) return false;
      if (tree_.is(child, "obl") && child > relation_.verb) return false;
    }
    if (head == 0) return true;
    if (head < relation_.verb) return false;
    const auto found = argument(tree_, head);
    if (!found || found->words.front() != relation_.words.back() + 1) return false;
    fronted.lead = found->words;
    return true;
  }

  // The words of a clause without its conjunction and outer punctuation, if in one piece.
  std::optional<WordSet> clause_words(std::size_t clause) const {
    WordSet words = tree_.subtree(clause);
    while (!words.empty() && tree_.is_punctuation(words.back())) words.pop_back();
    while (!words.empty() && (tree_.is_punctuation(words.front()) || is_that(words.front()))) {
      words.erase(words.begin());
    }
    if (words.empty() || words.back() - words.front() + 1 != words.size()) return std::nullopt;
    return words;
  }

  bool is_that(std::size_t number) const {
    return tree_.is(number, "mark") && tree_.lower(number) == "that";
  }

  void content_clause(std::size_t head) {
    const auto words = clause_words(head);
    if (!words || words->size() > ArgumentOptions().max_words || words->size() < 2) return;
    Object object;
    object.words = *words;
    const std::size_t begin = words->front();
    if (begin < relation_.verb) {
      if (!is_report(tree_, relation_.verb) || tree_.child(relation_.verb, "obj") != 0) return;
    } else {
      std::size_t end = begin;
      while (end > relation_.verb + 1 && tree_.is_punctuation(end - 1)) --end;
      if (is_that(end - 1)) object.preposition = {--end};
      const auto lead = lead_to(end);
      if (!lead) return;
      object.lead = *lead;
    }
    objects_.push_back(std::move(object));
  }

  // "the capital of France" also tells of France.
  void nested(const Object& outer, std::size_t head) {
    if (outer.is_fronted || !is_one_of(tree_.word(head).upos, {"NOUN", "PROPN"})) return;
    if (is_one_of(tree_.word(head).lemma,
                  {"lot",      "number",  "kind",    "type",    "part",   "couple",     "bunch",
                   "variety",  "sort",    "one",     "rest",    "bit",    "pair",       "piece",
                   "majority", "range",   "way",     "lots",    "ten",    "dozen",      "hundred",
                   "thousand", "million", "billion", "percent", "amount", "percentage", "percent",
                   "series",   "group",   "half"})) {
      return;
    }
    const WordSet inner_heads = tree_.children_of(head, "nmod");
    if (inner_heads.empty()) return;
    const std::size_t inner = inner_heads.back();
    Object object = outer;
    const WordSet preposition = preposition_of(tree_, inner);
    if (preposition.size() != 1 || inner < head || tree_.child(inner, "conj") != 0) return;
    if (!is_one_of(tree_.lower(preposition.front()), {"of", "in", "at", "on", "for", "to", "from",
                                                      "with", "about", "by", "against", "over"})) {
      return;
    }
    const std::size_t at = preposition.front();
    if (std::find(outer.words.begin(), outer.words.end(), at) == outer.words.end()) return;
    const WordSet before(outer.words.begin(),
                         std::find(outer.words.begin(), outer.words.end(), at));
    if (!outer.preposition.empty() && tree_.lower(outer.preposition.front()) == "from") return;
    object.lead = joined(joined(outer.lead, outer.preposition), before);
    object.preposition = preposition;
    object.is_nested = true;
    const auto found = argument(tree_, inner);
    if (!found || !can_be_slot(tree_, found->words) || found->lost_restriction) return;
    object.words = found->words;
    objects_.push_back(std::move(object));
  }

  const Tree& tree_;
  std::size_t clause_;
  Relation relation_;
  std::vector<Object> objects_;
};

std::string relation_text(const Tree& tree, const WordSet& verbs, const Object& object) {
  if (!object.is_fronted) {
    return tree.text(joined(joined(verbs, object.lead), object.preposition));
  }
  std::string text = tree.text(joined(verbs, object.lead));
  for (const std::size_t number : object.preposition) text += " " + tree.lower(number);
  return text;
}

// "Tom and Anna are doctors", "met each other": said of all of them together.
bool is_collective(const Tree& tree, const Relation& relation, std::size_t clause) {
  for (const std::size_t number : tree.subtree(clause)) {
    if (is_one_of(tree.lower(number), {"together", "jointly", "each", "both", "respectively",
                                       "between", "other", "same", "different", "similar"})) {
      return true;
    }
  }
  if (relation.predicate == 0) return false;
  const auto& word = tree.word(relation.predicate);
  return word.upos == "NOUN" || word.upos == "PROPN";
}

// "People do not go to Ireland on holiday for the weather": what exactly is denied is not told.
bool denies_one_of_many(const Tree& tree, const Relation& relation, std::size_t clause) {
  if (!is_negated(tree, clause)) return false;
  for (const std::size_t child : tree.children_of(clause, "advmod")) {
    if (is_one_of(tree.lower(child), {"just", "only", "simply", "merely", "necessarily"}))
      return true;
  }
  if (relation.verb == 0) return false;
  std::size_t objects = 0;
  for (const std::size_t child : tree.children(relation.verb)) {
    objects += tree.is_any(child, {"obj", "obl", "ccomp", "advcl", "nmod:unmarked"}) ? 1 : 0;
  }
  return objects > 1;
}

}  // namespace

std::optional<Subject> named_subject(const Tree& tree, std::size_t head, const WordSet& without) {
  const WordSet heads = conjuncts(tree, head);
  Subject subject{{}, "", head};
  const auto whole = argument(tree, head, {.without = without, .max_words = kMaxSubjectWords});
  if (!whole || !can_be_slot(tree, whole->words)) return std::nullopt;
  if (whole->lost_restriction && !is_definite(tree, head)) return std::nullopt;
  subject.together = tree.text(whole->words);
  for (const std::size_t each : heads) {
    const auto found = argument(
        tree, each,
        {.with_conjuncts = heads.size() == 1, .without = without, .max_words = kMaxSubjectWords});
    if (!found || !can_be_slot(tree, found->words)) return std::nullopt;
    subject.names.push_back(tree.text(found->words));
  }
  return subject;
}

std::optional<Subject> subject_of(const Tree& tree, std::size_t clause) {
  const std::size_t head = tree.child(clause, "nsubj");
  if (head == 0 || tree.child(clause, "expl") != 0 || tree.child(clause, "nsubj:outer") != 0) {
    return std::nullopt;
  }
  if (head > clause && !is_report(tree, clause)) return std::nullopt;
  if (!is_nominal(tree, head) || is_question_word(tree, head)) return std::nullopt;
  if (tree.child(head, "case") != 0) return std::nullopt;  // a title: "On a Wing and a Prayer"
  return named_subject(tree, head);
}

std::vector<Fact> clause_facts(const Tree& tree, std::size_t clause, const Subject& subject,
                               const WordSet& shared_auxiliaries) {
  const auto relation = relation_of(tree, clause);
  if (!relation || denies_one_of_many(tree, *relation, clause)) return {};
  const WordSet verbs = joined(shared_auxiliaries, relation->words);
  const bool is_split = subject.names.size() > 1 && !is_collective(tree, *relation, clause);
  const auto names = is_split ? subject.names : std::vector<std::string>{subject.together};
  std::vector<Fact> facts;
  for (const Object& object : ClauseReader(tree, clause, *relation).objects()) {
    const std::size_t words = verbs.size() + object.lead.size() + object.preposition.size();
    if (words > kMaxRelationWords) continue;
    for (const std::string& name : names) {
      facts.push_back({name, relation_text(tree, verbs, object), tree.text(object.words),
                       is_split || object.is_coordinated, object.is_nested});
    }
  }
  return facts;
}

}  // namespace diffie::treebank
