// Random pools for property tests.
#pragma once

#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "extract/role_letters.h"
#include "extract/selector.h"

namespace diffie::extract {

struct Sample {
  std::string roles;
  std::uint32_t count = 1;
};

// A few taggings and many small deviations from them; words repeat when `vocabulary` is small.
struct RandomPool {
  std::vector<std::string> words;
  std::vector<Sample> samples;

  RandomPool(unsigned seed, std::size_t length, std::size_t facts, std::size_t num_samples,
             std::size_t vocabulary) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < length; ++i)
      words.push_back(fmt::format("w{}", random() % vocabulary));
    std::vector<std::string> bases(facts);
    for (std::string& base : bases)
      for (std::size_t i = 0; i < length; ++i) base += "BSRO"[random() % 4];
    for (std::size_t i = 0; i < num_samples; ++i) {
      std::string roles = bases[random() % facts];
      for (std::size_t changes = random() % 4; changes > 0; --changes)
        roles[random() % length] = "BSRO"[random() % 4];
      samples.push_back({roles, 1 + static_cast<std::uint32_t>(random() % 3)});
    }
  }

  CandidateSet build(Rule rule) const {
    CandidateSetBuilder builder(words, rule);
    for (const Sample& sample : samples) builder.add(roles_of(sample.roles), sample.count);
    return builder.finish();
  }
};

inline bool operator==(const Candidate& a, const Candidate& b) {
  return a.count == b.count && a.triple == b.triple;
}
inline bool operator==(const RankedTriple& a, const RankedTriple& b) {
  return a.confidence == b.confidence && a.triple == b.triple;
}

// The three multisets of a triple's words.
inline std::array<std::map<std::string, int>, 3> word_counts(
    const Triple& triple, const std::vector<std::string>& words) {
  std::array<std::map<std::string, int>, 3> counts;
  for (std::size_t role = 0; role < 3; ++role)
    for (const std::uint32_t word : triple.words[role]) ++counts[role][words[word]];
  return counts;
}

inline int common_words(const Triple& a, const Triple& b, std::size_t role,
                        const std::vector<std::string>& words) {
  const auto counts_a = word_counts(a, words)[role];
  auto counts_b = word_counts(b, words)[role];
  int common = 0;
  for (const auto& [word, count] : counts_a) common += std::min(count, counts_b[word]);
  return common;
}

inline int total_words(const Triple& triple) {
  std::size_t total = 0;
  for (const auto& role : triple.words) total += role.size();
  return static_cast<int>(total);
}

inline int total_common(const Triple& a, const Triple& b, const std::vector<std::string>& words) {
  return common_words(a, b, 0, words) + common_words(a, b, 1, words) + common_words(a, b, 2, words);
}

}  // namespace diffie::extract
