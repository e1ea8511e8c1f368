#include "reshape/reshape.h"

#include <algorithm>
#include <set>

#include "facts/factuality.h"
#include "reshape/circumstances.h"
#include "reshape/coordination.h"
#include "reshape/omissions.h"

namespace diffie::reshape {
namespace {

bool says_the_same(const Factuality& a, const Factuality& b) {
  return a.polarity == b.polarity && a.modality == b.modality &&
         a.attributed_to.has_value() == b.attributed_to.has_value();
}

// Parts of one triple may be what another one is: the first one stays.
void drop_repeated(std::vector<Statement>& statements) {
  std::set<extract::Triple> seen;
  std::erase_if(statements,
                [&](const Statement& each) { return !seen.insert(each.ranked.triple).second; });
}

void drop_contained(std::vector<Statement>& statements) {
  std::vector<Statement> kept;
  for (const Statement& each : statements) {
    const bool contained =
        std::any_of(statements.begin(), statements.end(), [&](const Statement& other) {
          if (&other == &each || other.ranked.confidence < each.ranked.confidence) return false;
          if (!says_the_same(each.factuality, other.factuality)) return false;
          return is_contained(each.ranked.triple, other.ranked.triple);
        });
    if (!contained) kept.push_back(each);
  }
  statements = std::move(kept);
}

// The triples with what the sentence says of them, split where that is asked for.
std::vector<Statement> stated(std::span<const extract::RankedTriple> chosen, const Line& line,
                              const facts::SentenceFacts& facts, bool split) {
  const auto factuality_of = [&](const extract::Triple& triple) {
    return facts.of({triple.words[0], triple.words[1], triple.words[2]});
  };
  std::vector<Statement> statements;
  for (std::size_t origin = 0; origin < chosen.size(); ++origin) {
    const extract::RankedTriple& ranked = chosen[origin];
    Factuality factuality = factuality_of(ranked.triple);
    if (!split) {
      statements.push_back({ranked, origin, std::move(factuality)});
      continue;
    }
    const bool negative = factuality.polarity == Polarity::kNegative;
    for (extract::Triple& part : split_coordination(line, ranked.triple, negative)) {
      factuality = factuality_of(part);
      statements.push_back({{std::move(part), ranked.confidence}, origin, std::move(factuality)});
    }
  }
  if (split) drop_repeated(statements);
  return statements;
}

}  // namespace

std::vector<Statement> reshape(std::span<const extract::RankedTriple> chosen, std::string_view text,
                               std::span<const Span> word_bytes,
                               std::span<const std::string> lower_words, const Settings& settings) {
  if (chosen.empty()) return {};
  const facts::SentenceFacts facts(text, word_bytes, lower_words);
  const bool reads_words =
      settings.split_coordination || settings.skip_pronouns || settings.mark_circumstances;
  const Line line = reads_words ? Line(text, word_bytes, lower_words) : Line();
  std::vector<Statement> statements = stated(chosen, line, facts, settings.split_coordination);
  if (settings.asserted_only)
    std::erase_if(statements, [](const Statement& each) { return !each.factuality.asserted(); });
  if (settings.skip_pronouns) {
    std::erase_if(statements, [&](const Statement& each) {
      return is_pronoun(line, each.ranked.triple.words[0]);
    });
  }
  if (settings.drop_contained) drop_contained(statements);
  if (settings.mark_circumstances) {
    const std::vector<Phrase> phrases = find_circumstances(line);
    for (Statement& each : statements)
      each.circumstances = circumstances_of(each.ranked.triple, phrases, line);
  }
  return statements;
}

}  // namespace diffie::reshape
