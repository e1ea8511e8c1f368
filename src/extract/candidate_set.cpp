#include <algorithm>
#include <map>
#include <utility>

#include "base/assert.h"
#include "extract/selector.h"
#include "extract/tidy.h"

namespace diffie::extract {
namespace {

// "is was" says nothing: of several implied verbs the first of the list stays.
void keep_one(std::span<const std::size_t> verbs, std::span<Role> roles) {
  bool has_verb = false;
  for (const std::size_t verb : verbs) {
    if (roles[verb] != Role::kRelation) continue;
    if (has_verb) roles[verb] = Role::kBackground;
    has_verb = true;
  }
}

}  // namespace

CandidateSetBuilder::CandidateSetBuilder(std::vector<std::string> lower_words, PoolRules rules,
                                         std::size_t num_implied)
    : words_(std::move(lower_words)), rules_(rules), num_implied_(num_implied) {
  DIFFIE_ASSERT(num_implied_ <= words_.size());
}

void CandidateSetBuilder::add(std::span<const Role> word_roles, std::uint32_t count) {
  DIFFIE_ASSERT(word_roles.size() == words_.size());
  if (count == 0) return;
  num_samples_ += count;
  key_.assign(reinterpret_cast<const char*>(word_roles.data()), word_roles.size());
  counts_[key_] += count;  // most samples repeat: a triple is built once per distinct row
}

CandidateSet CandidateSetBuilder::finish() {
  std::map<Triple, std::uint32_t> triples;
  const std::vector<std::size_t> verbs = implied_verbs();
  std::vector<Role> roles;
  Triple triple;
  for (const auto& [key, count] : counts_) {
    roles.resize(key.size());
    std::transform(key.begin(), key.end(), roles.begin(),
                   [](char role) { return static_cast<Role>(role); });
    keep_one(verbs, roles);
    if (make_triple(roles, triple)) triples[triple] += count;
  }
  CandidateSet pool{.words = std::move(words_),
                    .num_implied = num_implied_,
                    .candidates = {},
                    .num_samples = num_samples_};
  pool.candidates.reserve(triples.size());
  for (auto& [key, count] : triples) pool.candidates.push_back({key, count});
  // The map is in order of the triples, so a stable sort leaves ties in that order.
  std::stable_sort(pool.candidates.begin(), pool.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.count > b.count; });
  words_.clear();
  counts_.clear();
  num_implied_ = 0;
  num_samples_ = 0;
  return pool;
}

// False: the sample has no triple that counts.
bool CandidateSetBuilder::make_triple(std::span<const Role> roles, Triple& triple) const {
  if (!construct_triple(roles, rules_.rule, triple, num_implied_)) return false;
  if (rules_.tidy && !tidy_triple(triple, words_, num_implied_)) return false;
  return !rules_.explicit_only || triple.words[1].front() < words_.size() - num_implied_;
}

// Implied verbs of the sentence, the one that most samples have first.
std::vector<std::size_t> CandidateSetBuilder::implied_verbs() const {
  std::vector<std::size_t> verbs;
  for (std::size_t word = words_.size() - num_implied_; word < words_.size(); ++word)
    if (reads_first(words_[word])) verbs.push_back(word);
  std::vector<std::uint32_t> counts(words_.size(), 0);
  for (const auto& [key, count] : counts_)
    for (const std::size_t verb : verbs)
      if (key[verb] == static_cast<char>(Role::kRelation)) counts[verb] += count;
  std::stable_sort(verbs.begin(), verbs.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  return verbs;
}

}  // namespace diffie::extract
