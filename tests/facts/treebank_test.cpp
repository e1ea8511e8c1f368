// The rules against what dependency trees say of (subject, verb, object), where they say it:
// negated verbs, questions, orders, conditions, modals, reported clauses. Figures below which the
// rules must not fall stand in docs/factuality.md, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <map>

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
    }
    if (triple.source) {
      const bool wanted = *triple.source != kNoSource;
      check("attributed", found.attributed_to.has_value(), wanted);
      if (wanted && found.attributed_to)
        check("source", names_source(spelled, found, *triple.source), true);
    }
  }
}

enum class Part { kAll, kEven, kOdd };

// With DIFFIE_SHOW_WRONG set the even sentences of EWT show what is wrong: by them the rules were
// made.
Counts judge_file(const std::string& name, Part part) {
  const bool show = std::getenv("DIFFIE_SHOW_WRONG") != nullptr && part == Part::kEven;
  Counts counts;
  std::size_t number = 0;
  for (const data::TreeSentence& sentence : data::read_conllu(
           std::filesystem::path(DIFFIE_DATA_DIR) / "extra/ud" / (name + ".conllu"))) {
    const Part half = number++ % 2 == 0 ? Part::kEven : Part::kOdd;
    if (part == Part::kAll || part == half) judge(sentence, show, counts);
  }
  fmt::print("{}, {} sentences\n", name,
             part == Part::kAll    ? "all"
             : part == Part::kEven ? "even"
                                   : "odd");
  for (const auto& [what, count] : counts) {
    fmt::print("  {:12} wanted {:5} found {:5}  P {:5.1f}  R {:5.1f}\n", what, count.wanted,
               count.found, 100 * count.precision(), 100 * count.recall());
  }
  return counts;
}

struct Floor {
  const char* what;
  double precision;
  double recall;
};

// What it costs: a sentence with five triples, wherever their words stand.
void time_reading() {
  using Clock = std::chrono::steady_clock;
  Clock::duration spent{};
  std::size_t sentences = 0;
  for (const data::TreeSentence& sentence :
       data::read_conllu(std::filesystem::path(DIFFIE_DATA_DIR) / "extra/ud/pud.conllu")) {
    const Spelled spelled(sentence);
    const auto words = static_cast<std::uint32_t>(spelled.bytes.size());
    if (words < 7) continue;
    const Clock::time_point begin = Clock::now();
    const SentenceFacts facts(spelled.text, spelled.bytes, spelled.lower);
    for (std::uint32_t triple = 1; triple <= 5; ++triple) {
      const std::array<std::uint32_t, 3> at = {0, words * triple / 7, words * triple / 7 + 1};
      facts.of({{&at[0], 1}, {&at[1], 1}, {&at[2], 1}});
    }
    spent += Clock::now() - begin;
    ++sentences;
  }
  fmt::print("{:.1f} microseconds a sentence\n",
             std::chrono::duration<double, std::micro>(spent).count() / double(sentences));
}

TEST(FactualityTreebank, AgreesWithTheTrees) {
  if (!std::filesystem::exists(DIFFIE_DATA_DIR "/extra/ud/ewt.conllu"))
    GTEST_SKIP() << "no treebanks";
  judge_file("ewt", Part::kEven);
  Counts held_out = judge_file("ewt", Part::kOdd);
  judge_file("pud", Part::kAll);
  time_reading();
  for (const Floor& floor :
       {Floor{"negative", 0.98, 0.96}, Floor{"possible", 0.92, 0.90}, Floor{"question", 0.89, 0.90},
        Floor{"imperative", 0.98, 0.96}, Floor{"conditional", 0.85, 0.93},
        Floor{"attributed", 0.97, 0.82}, Floor{"source", 0.98, 0.91}}) {
    EXPECT_GE(held_out[floor.what].precision(), floor.precision) << floor.what;
    EXPECT_GE(held_out[floor.what].recall(), floor.recall) << floor.what;
  }
}

}  // namespace
}  // namespace diffie::facts
