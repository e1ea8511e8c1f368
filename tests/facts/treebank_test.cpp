// The rules against what dependency trees say of (subject, verb, object), where they say it:
// negated verbs, questions, orders, conditions, modals, reported clauses. Figures below which the
// rules must not fall stand in docs/factuality.md, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "facts/factuality.h"
#include "facts/tree_gold.h"
#include "lab/data/conllu.h"
#include "text/lowercase.h"

namespace diffie::facts {
namespace {

struct Count {
  int right = 0;   // found and in the trees
  int found = 0;   // by the rules, where the trees decide
  int wanted = 0;  // by the trees

  double precision() const { return found == 0 ? 1 : double(right) / found; }
  double recall() const { return wanted == 0 ? 1 : double(right) / wanted; }
};

using Counts = std::map<std::string, Count>;

void tally(Counts& counts, const std::string& what, bool found, bool wanted) {
  Count& count = counts[what];
  count.found += found;
  count.wanted += wanted;
  count.right += found && wanted;
}

void show_wrong(const data::TreeSentence& sentence, const TreeTriple& triple,
                const std::string& what, bool wanted) {
  fmt::print("{} {}: {}\n    verb {} ({})\n", wanted ? "missed" : "wrong", what, sentence.spelled(),
             sentence.words[triple.verb].form, triple.verb);
}

struct Spelled {
  explicit Spelled(const data::TreeSentence& sentence) : text(sentence.spelled()) {
    std::size_t begin = 0;
    for (const data::TreeWord& word : sentence.words) {
      bytes.push_back({begin, begin + word.form.size()});
      lower.push_back(text::lowercase(word.form));
      begin += word.form.size() + 1;
    }
  }
  std::string text;
  std::vector<Span> bytes;
  std::vector<std::string> lower;
};

bool names_source(const Spelled& spelled, const Factuality& found, std::size_t word) {
  if (!found.attributed_to) return false;
  const Span& bytes = spelled.bytes[word];
  return std::any_of(
      found.attributed_to->spans.begin(), found.attributed_to->spans.end(),
      [&](const Span& span) { return span.begin <= bytes.begin && bytes.end <= span.end; });
}

void judge(const data::TreeSentence& sentence, bool show, Counts& counts) {
  const Spelled spelled(sentence);
  const SentenceFacts facts(spelled.text, spelled.bytes, spelled.lower);
  for (const TreeTriple& triple : tree_triples(sentence)) {
    const Factuality found = facts.of({triple.subject, triple.relation, triple.object});
    const auto check = [&](const std::string& what, bool is_found, bool is_wanted) {
      tally(counts, what, is_found, is_wanted);
      if (show && is_found != is_wanted) show_wrong(sentence, triple, what, is_wanted);
    };
    if (triple.negative) check("negative", found.polarity == Polarity::kNegative, *triple.negative);
    if (triple.modality) {
      for (const Modality modality : {Modality::kPossible, Modality::kQuestion,
                                      Modality::kImperative, Modality::kConditional}) {
        check(std::string(name_of(modality)), found.modality == modality,
              *triple.modality == modality);
      }
      ++counts["triples"].wanted;
    }
    if (triple.source) {
      const bool wanted = *triple.source != kNoSource;
      check("attributed", found.attributed_to.has_value(), wanted);
      if (wanted && found.attributed_to)
        check("source", names_source(spelled, found, *triple.source), true);
    }
  }
}

// Of every second sentence, as the rules were made looking at the others of EWT.
Counts judge_file(const std::string& name, bool even) {
  const char* shown = std::getenv("DIFFIE_SHOW_WRONG");
  Counts counts;
  std::size_t number = 0;
  for (const data::TreeSentence& sentence : data::read_conllu(
           std::filesystem::path(DIFFIE_DATA_DIR) / "extra/ud" / (name + ".conllu"))) {
    if ((number++ % 2 == 0) == even) judge(sentence, shown && even && name == "ewt", counts);
  }
  fmt::print("{}, {} sentences\n", name, even ? "even" : "odd");
  for (const auto& [what, count] : counts) {
    fmt::print("  {:12} wanted {:5} found {:5}  P {:5.1f}  R {:5.1f}\n", what, count.wanted,
               count.found, 100 * count.precision(), 100 * count.recall());
  }
  return counts;
}

TEST(FactualityTreebank, AgreesWithTheTrees) {
  if (!std::filesystem::exists(DIFFIE_DATA_DIR "/extra/ud/ewt.conllu"))
    GTEST_SKIP() << "no treebanks";
  judge_file("ewt", true);
  judge_file("ewt", false);
  judge_file("pud", true);
  judge_file("pud", false);
}

}  // namespace
}  // namespace diffie::facts
