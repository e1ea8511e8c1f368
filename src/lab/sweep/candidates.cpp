#include "lab/sweep/candidates.h"

#include "base/assert.h"
#include "extract/role_letters.h"
#include "lab/score/as_written.h"

namespace diffie::sweep {
namespace {

std::string join(std::span<const std::uint32_t> indices, const std::vector<std::string>& words) {
  std::string joined;
  for (const std::uint32_t index : indices) {
    if (!joined.empty()) joined += ' ';
    joined += words[index];
  }
  return joined;
}

}  // namespace

extract::CandidateSet make_candidates(const TagPool& pool, std::span<const std::uint32_t> counts,
                                      const std::vector<std::string>& lower_words,
                                      extract::PoolRules rules) {
  DIFFIE_ASSERT(counts.size() == pool.tags.size());
  extract::CandidateSetBuilder builder(lower_words, rules, pool.num_implied);
  std::vector<extract::Role> roles(pool.words.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    for (std::size_t word = 0; word < roles.size(); ++word) {
      roles[word] = extract::role_of(pool.tags[i].tags[word]);
    }
    builder.add(roles, counts[i], pool.tags[i].exact, pool.tags[i].lenient);
  }
  return builder.finish();
}

PredictedTuple to_tuple(const extract::Triple& triple, double confidence,
                        const std::vector<std::string>& words, std::size_t num_implied) {
  const auto& [subject, said, object] = triple.words;
  const std::vector<std::uint32_t> relation = extract::reading_order(said, words, num_implied);
  return {
      join(relation, words), {join(subject, words), join(object, words)}, as_written(confidence)};
}

}  // namespace diffie::sweep
