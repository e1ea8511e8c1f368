// Training rows that rules read off dependency trees (CoNLL-U).
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace diffie::treebank {

enum class Rule {
  kAppositions,   // "Paris , the capital of France ," -> (Paris; is; the capital of France)
  kPossessives,   // "Anna 's brother" -> (Anna; has; brother)
  kCoordination,  // each conjunct its own fact
  kRelative,      // "the man who founded X" -> (the man; founded; X)
  kNested,        // (He; became a justice of; the High Court)
  kPlain,         // clauses without coordination
};
inline constexpr std::array<Rule, 6> kRules = {Rule::kAppositions,  Rule::kPossessives,
                                               Rule::kCoordination, Rule::kRelative,
                                               Rule::kNested,       Rule::kPlain};
std::string_view name_of(Rule rule);  // "appositions", "possessives", ...

struct Options {
  std::vector<std::filesystem::path> trees;  // CoNLL-U files
  std::vector<Rule> rules{kRules.begin(), kRules.end()};
  std::filesystem::path exclude;    // sentences, one a line, that are left out; or empty
  std::filesystem::path sentences;  // where to write all sentences that remain; or empty
};

struct Counts {
  std::size_t sentences = 0;                            // trees read
  std::size_t excluded_sentences = 0;                   // left out: also in `exclude`,
  std::size_t other_lengths = 0;                        // not of 5 to 90 words,
  std::size_t repeated = 0;                             // or there before
  std::size_t rows = 0;                                 // written: with at least one triple
  std::array<std::size_t, kRules.size()> triples = {};  // written, by rule
};

// Writes JSON lines {"sentence", "triples"} as data::read_rows reads them, when `out` is not empty.
// Throws kNotFound, kBadInput naming the line.
Counts write_rows(const Options& options, const std::filesystem::path& out);

}  // namespace diffie::treebank
