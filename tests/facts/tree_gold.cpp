#include "facts/tree_gold.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "text/lowercase.h"

namespace diffie::facts {
namespace {

using Words = std::set<std::string_view>;

const Words kNegations = {"not", "n't", "never", "no"};
const Words kNobody = {"nobody", "nothing", "none", "noone"};
const Words kModals = {"may", "might", "could", "would", "should", "must"};
const Words kHedges = {"probably",   "perhaps", "maybe",      "possibly",   "allegedly",
                       "reportedly", "likely",  "apparently", "presumably", "supposedly"};
const Words kReporting = {"say",   "tell",    "claim",   "argue", "announce", "report", "believe",
                          "think", "insist",  "suggest", "state", "warn",     "deny",   "admit",
                          "write", "explain", "add",     "hope",  "suspect",  "feel",   "assume"};

class Tree {
 public:
  explicit Tree(const data::TreeSentence& sentence) : words_(sentence.words) {
    children_.resize(words_.size());
    for (std::size_t word = 0; word < words_.size(); ++word) {
      if (words_[word].head > 0) children_[words_[word].head - 1].push_back(word);
    }
    std::size_t last = words_.size();
    for (; last > 0 && words_[last - 1].upos == "PUNCT"; --last)
      asks_ = asks_ || words_[last - 1].form.find('?') != std::string::npos;
  }

  std::vector<TreeTriple> triples() const {
    std::vector<TreeTriple> found;
    for (std::size_t verb = 0; verb < words_.size(); ++verb) {
      if (words_[verb].upos != "VERB") continue;
      const std::size_t object = child(verb, {"obj"});
      const std::size_t subject = child(verb, {"nsubj"});
      if (object == kNoSource || (subject == kNoSource && !is_order(verb))) continue;
      found.push_back(triple_of(verb, subject, object));
    }
    return found;
  }

 private:
  const std::string& lemma(std::size_t word) const { return words_[word].lemma; }
  const std::string& deprel(std::size_t word) const { return words_[word].deprel; }

  std::size_t child(std::size_t head, const Words& relations, const Words& lemmas = {}) const {
    for (const std::size_t word : children_[head]) {
      if (relations.contains(deprel(word)) && (lemmas.empty() || lemmas.contains(lemma(word))))
        return word;
    }
    return kNoSource;
  }
  bool has(std::size_t head, const Words& relations, const Words& lemmas = {}) const {
    return child(head, relations, lemmas) != kNoSource;
  }

  void add_subtree(std::size_t head, std::vector<std::uint32_t>& words) const {
    words.push_back(static_cast<std::uint32_t>(head));
    for (const std::size_t word : children_[head]) add_subtree(word, words);
  }

  std::vector<std::uint32_t> phrase(std::size_t head) const {
    std::vector<std::uint32_t> words;
    add_subtree(head, words);
    std::sort(words.begin(), words.end());
    return words;
  }

  TreeTriple triple_of(std::size_t verb, std::size_t subject, std::size_t object) const {
    TreeTriple triple;
    triple.verb = verb;
    if (subject != kNoSource) triple.subject = phrase(subject);
    triple.object = phrase(object);
    for (const std::size_t word : children_[verb]) {
      if (deprel(word) == "aux" && word < verb)
        triple.relation.push_back(static_cast<std::uint32_t>(word));
    }
    triple.relation.push_back(static_cast<std::uint32_t>(verb));
    triple.negative = negative(verb, subject, object);
    triple.modality = modality(verb, subject);
    triple.source = source(verb);
    return triple;
  }

  // A verb without subject at the beginning of its sentence, in its bare form.
  bool is_order(std::size_t verb) const {
    if (deprel(verb) != "root" || asks_ || lemma(verb) == "thank" ||
        text::lowercase(words_[verb].form) != lemma(verb))
      return false;
    if (has(verb, {"nsubj", "nsubj:pass", "expl", "mark", "csubj"})) return false;
    for (std::size_t word = 0; word < verb; ++word) {
      const bool light = words_[word].upos == "PUNCT" || words_[word].upos == "INTJ" ||
                         words_[word].upos == "ADV" || words_[word].upos == "PART" ||
                         lemma(word) == "do";
      if (!light) return false;
    }
    return true;
  }

  bool is_embedded(std::size_t verb) const {
    return deprel(verb) == "ccomp" || deprel(verb) == "acl" || deprel(verb) == "xcomp" ||
           deprel(verb) == "csubj" || deprel(verb) == "conj";
  }

  std::optional<bool> negative(std::size_t verb, std::size_t subject, std::size_t object) const {
    if (is_embedded(verb)) return {};
    for (const std::size_t argument : {subject, object}) {
      if (argument == kNoSource) continue;
      if (has(argument, {"det"}, {"no"}) || kNobody.contains(lemma(argument))) return true;
    }
    for (const std::size_t word : children_[verb]) {
      if (deprel(word) != "advmod" || !kNegations.contains(lemma(word))) continue;
      const std::string next = word + 1 < words_.size() ? lemma(word + 1) : "";
      if (next == "only" || next == "just" || word > verb || has_word({"until", "till"})) return {};
      return true;
    }
    if (has_word({"neither", "nor"}) || (has_word({"no"}) && has_word({"longer", "long"})))
      return {};
    return false;
  }

  bool has_word(const Words& lemmas) const {
    return std::any_of(words_.begin(), words_.end(),
                       [&](const data::TreeWord& word) { return lemmas.contains(word.lemma); });
  }

  bool has_condition(std::size_t verb) const {
    return std::any_of(children_[verb].begin(), children_[verb].end(), [&](std::size_t word) {
      return deprel(word) == "advcl" && has(word, {"mark"}, {"if", "unless"});
    });
  }

  std::optional<Modality> modality(std::size_t verb, std::size_t subject) const {
    if (is_embedded(verb)) return {};
    if (subject == kNoSource) return Modality::kImperative;
    // Conditions and questions that their form does not mark.
    if (has_word({"long", "case", "provide", "assume"})) return {};
    const bool opens = words_[0].upos == "AUX" || lemma(0).starts_with("wh") || lemma(0) == "how";
    if (opens && !asks_) return {};
    if (deprel(verb) == "advcl" && has(verb, {"mark"}, {"if", "unless"}))
      return Modality::kConditional;
    const bool root = deprel(verb) == "root";
    if (asks_ && (root || deprel(verb) == "parataxis"))
      return root ? std::optional(Modality::kQuestion) : std::nullopt;
    if (has_condition(verb)) return Modality::kConditional;
    if (has(verb, {"aux"}, {"could"}) && has(verb, {"advmod"}, kNegations)) return {};
    if (has(verb, {"aux"}, kModals) || has(verb, {"advmod"}, kHedges)) return Modality::kPossible;
    return Modality::kCertain;
  }

  std::optional<std::size_t> source(std::size_t verb) const {
    const std::size_t head = words_[verb].head;
    if (deprel(verb) == "ccomp" && head > 0) {
      const std::size_t reporter = head - 1;
      if (!kReporting.contains(lemma(reporter)) || has(verb, {"mark"}, {"if", "whether"}))
        return {};
      if (has(reporter, {"aux:pass"})) return {};
      const std::size_t who = child(reporter, {"nsubj"});
      const bool relative = who != kNoSource && deprel(reporter) == "acl:relcl";
      return who == kNoSource || relative ? std::nullopt : std::optional(who);
    }
    if (deprel(verb) != "root") return {};
    for (const std::size_t word : children_[verb]) {
      if (deprel(word) != "parataxis") continue;
      const std::size_t who = child(word, {"nsubj"});
      if (!kReporting.contains(lemma(word)) || has(word, {"ccomp"})) return {};
      return who == kNoSource ? std::nullopt : std::optional(who);
    }
    const bool open = std::any_of(words_.begin(), words_.end(), [](const data::TreeWord& word) {
      return word.lemma == "accord" || word.lemma == "opinion" || word.lemma == "view";
    });
    return open ? std::nullopt : std::optional(kNoSource);
  }

  const std::vector<data::TreeWord>& words_;
  std::vector<std::vector<std::size_t>> children_;
  bool asks_ = false;
};

}  // namespace

std::vector<TreeTriple> tree_triples(const data::TreeSentence& sentence) {
  return Tree(sentence).triples();
}

}  // namespace diffie::facts
