#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_set>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "lab/data/conllu.h"
#include "lab/data/sentence_identity.h"
#include "lab/score/sentence_key.h"
#include "lab/treebank/rules.h"

namespace diffie::treebank {
namespace {

constexpr std::size_t kMinWords = 5;
constexpr std::size_t kMaxWords = 90;

std::vector<RuleFact> facts_of(const Tree& tree) {
  std::vector<RuleFact> facts;
  for (const auto rule : {main_clause_facts, relative_facts, apposition_facts, possessive_facts}) {
    const auto found = rule(tree);
    facts.insert(facts.end(), found.begin(), found.end());
  }
  return facts;
}

nlohmann::ordered_json triples_of(const data::TreeSentence& sentence,
                                  const std::vector<Rule>& rules, Counts& counts) {
  auto triples = nlohmann::ordered_json::array();
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const auto& [rule, fact] : facts_of(Tree(sentence))) {
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) continue;
    if (fact.subject == fact.object) continue;
    if (!seen.emplace(fact.subject, fact.relation, fact.object).second) continue;
    triples.push_back(
        {{"subject", fact.subject}, {"relation", fact.relation}, {"object", fact.object}});
    ++counts.triples[static_cast<std::size_t>(rule)];
  }
  return triples;
}

// Decides which sentences are used at all, and counts the others.
class Filter {
 public:
  explicit Filter(const std::filesystem::path& exclude)
      : excluded_(data::read_identities(exclude)) {}

  bool lets_pass(const data::TreeSentence& sentence, Counts& counts) {
    ++counts.sentences;
    const std::string key = score::sentence_key(sentence.spelled());
    std::size_t* reason = nullptr;
    if (excluded_.contains(key)) {
      reason = &counts.excluded_sentences;
    } else if (sentence.words.size() < kMinWords || sentence.words.size() > kMaxWords) {
      reason = &counts.other_lengths;
    } else if (!seen_.insert(key).second) {
      reason = &counts.repeated;
    }
    if (reason) ++*reason;
    return reason == nullptr;
  }

 private:
  std::unordered_set<std::string> excluded_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::string_view name_of(Rule rule) {
  switch (rule) {
    case Rule::kAppositions:
      return "appositions";
    case Rule::kPossessives:
      return "possessives";
    case Rule::kCoordination:
      return "coordination";
    case Rule::kRelative:
      return "relative";
    case Rule::kNested:
      return "nested";
    case Rule::kPlain:
      return "plain";
  }
  return "";
}

Counts write_rows(const Options& options, const std::filesystem::path& out) {
  Counts counts;
  Filter filter(options.exclude);
  std::string rows;
  std::string sentences;
  for (const auto& path : options.trees) {
    for (const data::TreeSentence& sentence : data::read_conllu(path)) {
      if (!filter.lets_pass(sentence, counts)) continue;
      sentences += sentence.spelled() + "\n";
      const auto triples = triples_of(sentence, options.rules, counts);
      if (triples.empty()) continue;
      ++counts.rows;
      const nlohmann::ordered_json row = {{"sentence", sentence.spelled()}, {"triples", triples}};
      rows += row.dump() + "\n";
    }
  }
  if (counts.sentences == 0 && !options.trees.empty()) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: no sentences in it", options.trees.front().string()));
  }
  if (!out.empty()) files::write_text_file(out, rows);
  if (!options.sentences.empty()) files::write_text_file(options.sentences, sentences);
  return counts;
}

}  // namespace diffie::treebank
