#include <algorithm>
#include <string_view>
#include <tuple>
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

// Whether all words of the row that are not background are the triple's.
bool is_whole(std::string_view row, const Triple& triple) {
  std::size_t words = 0;
  for (const auto& role : triple.words) words += role.size();
  const auto background = std::count(row.begin(), row.end(), '\0');
  return row.size() - static_cast<std::size_t>(background) == words;
}

}  // namespace

CandidateSetBuilder::CandidateSetBuilder(std::vector<std::string> lower_words, PoolRules rules,
                                         std::size_t num_implied)
    : words_(std::move(lower_words)), rules_(rules), num_implied_(num_implied) {
  DIFFIE_ASSERT(num_implied_ <= words_.size());
}

void CandidateSetBuilder::add(std::span<const Role> word_roles, std::uint32_t count, float exact,
                              float lenient) {
  DIFFIE_ASSERT(word_roles.size() == words_.size());
  if (count == 0) return;
  num_samples_ += count;
  key_.assign(reinterpret_cast<const char*>(word_roles.data()), word_roles.size());
  Row& row = rows_[key_];
  row.count += count;  // most samples repeat: a triple is built once per distinct row
  if (std::pair(exact, lenient) > std::pair(row.exact, row.lenient)) {
    row.exact = exact;
    row.lenient = lenient;
  }
}

std::vector<std::optional<Triple>> CandidateSetBuilder::triples_of(
    std::span<const std::vector<Role>> rows) const {
  const TidySentence sentence(words_, num_implied_);
  const std::vector<std::size_t> verbs = implied_verbs();
  std::vector<std::optional<Triple>> triples;
  for (std::vector<Role> roles : rows) {
    DIFFIE_ASSERT(roles.size() == words_.size());
    keep_one(verbs, roles);
    Triple triple;
    const bool is_one = make_triple(roles, sentence, triple);
    triples.push_back(is_one ? std::optional(std::move(triple)) : std::nullopt);
  }
  return triples;
}

CandidateSet CandidateSetBuilder::finish() {
  struct Found {
    Triple triple;
    std::uint32_t count = 0;
    std::tuple<bool, float, float> said = {false, -1.0f, -1.0f};  // exact, lenient
  };
  std::vector<Found> found;
  found.reserve(rows_.size());
  const TidySentence sentence(words_, num_implied_);
  const std::vector<std::size_t> verbs = implied_verbs();
  std::vector<Role> roles;
  Triple triple;
  for (const auto& [key, row] : rows_) {
    roles.resize(key.size());
    std::transform(key.begin(), key.end(), roles.begin(),
                   [](char role) { return static_cast<Role>(role); });
    keep_one(verbs, roles);
    if (!make_triple(roles, sentence, triple)) continue;
    Found& each = found.emplace_back(Found{triple, row.count});
    // What is said of the very row goes before what is said of one that becomes it.
    if (row.exact >= 0) each.said = {is_whole(key, triple), row.exact, row.lenient};
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.triple < b.triple; });
  CandidateSet pool{.words = std::move(words_),
                    .num_implied = num_implied_,
                    .candidates = {},
                    .num_samples = num_samples_};
  pool.candidates.reserve(found.size());
  for (std::size_t first = 0; first < found.size();) {
    Found sum = std::move(found[first]);
    while (++first < found.size() && found[first].triple == sum.triple) {
      sum.count += found[first].count;
      sum.said = std::max(sum.said, found[first].said);
    }
    pool.candidates.push_back(
        {std::move(sum.triple), sum.count, std::get<1>(sum.said), std::get<2>(sum.said)});
  }
  // They are in order of the triples, so a stable sort leaves ties in that order.
  std::stable_sort(pool.candidates.begin(), pool.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.count > b.count; });
  words_.clear();
  rows_.clear();
  num_implied_ = 0;
  num_samples_ = 0;
  return pool;
}

// False: the sample has no triple that counts.
bool CandidateSetBuilder::make_triple(std::span<const Role> roles, const TidySentence& sentence,
                                      Triple& triple) const {
  if (!construct_triple(roles, rules_.rule, triple, num_implied_)) return false;
  if (rules_.tidy && !tidy_triple(triple, sentence)) return false;
  return !rules_.explicit_only || triple.words[1].front() < words_.size() - num_implied_;
}

// Implied verbs of the sentence, the one that most samples have first.
std::vector<std::size_t> CandidateSetBuilder::implied_verbs() const {
  std::vector<std::size_t> verbs;
  for (std::size_t word = words_.size() - num_implied_; word < words_.size(); ++word)
    if (reads_first(words_[word])) verbs.push_back(word);
  std::vector<std::uint32_t> counts(words_.size(), 0);
  for (const auto& [key, row] : rows_)
    for (const std::size_t verb : verbs)
      if (key[verb] == static_cast<char>(Role::kRelation)) counts[verb] += row.count;
  std::stable_sort(verbs.begin(), verbs.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  return verbs;
}

}  // namespace diffie::extract
