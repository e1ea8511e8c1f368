#include "engine/passage_tags.h"

#include <algorithm>
#include <map>

#include "base/assert.h"
#include "extract/role_letters.h"

namespace diffie::engine {
namespace {

// Calls visit(roles) with one role per word for each of the passage's samples.
template <typename Visit>
void for_each_sample(const Passage& passage, std::span<const std::uint8_t> samples, Visit visit) {
  std::vector<extract::Role> roles(passage.piece_counts.size());
  const std::size_t length = passage.piece_ids.size();
  for (std::size_t begin = 0; begin < samples.size(); begin += length) {
    extract::piece_roles_to_words(samples.subspan(begin, length), passage.piece_counts, roles,
                                  passage.num_implied());
    visit(std::span<const extract::Role>(roles));
  }
}

void sort_by_count(CountedTags& tags) {
  std::sort(tags.begin(), tags.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
}

// count_of(sample): what each of them counts.
template <typename CountOf>
CountedTags count_by_words(const Passage& passage, std::span<const std::uint8_t> samples,
                           CountOf count_of) {
  std::map<std::string, std::uint32_t> counts;
  std::string key;
  std::size_t sample = 0;
  for_each_sample(passage, samples, [&](std::span<const extract::Role> roles) {
    key.clear();
    for (const extract::Role role : roles) key += extract::letter_of(role);
    counts[key] += count_of(sample++);
  });
  CountedTags tags(counts.begin(), counts.end());
  sort_by_count(tags);
  return tags;
}

// Of kWeightUnit.
std::uint32_t what_is_left(std::span<const diffusion::WeightedTags> weighted) {
  std::uint32_t rest = diffusion::kWeightUnit;
  for (const diffusion::WeightedTags& entry : weighted) {
    DIFFIE_ASSERT(entry.weight <= rest);
    rest -= entry.weight;
  }
  return rest;
}

}  // namespace

void add_tags(const Passage& passage, std::span<const std::uint8_t> samples,
              extract::CandidateSetBuilder& builder) {
  for_each_sample(passage, samples,
                  [&](std::span<const extract::Role> roles) { builder.add(roles); });
}

CountedTags count_tags(const Passage& passage, std::span<const std::uint8_t> samples) {
  return count_by_words(passage, samples, [](std::size_t) { return 1u; });
}

void add_tags(const Passage& passage, const model::DrawnRows& samples,
              extract::CandidateSetBuilder& builder) {
  const std::uint32_t* count = samples.counts.data();
  for_each_sample(passage, samples.tags,
                  [&](std::span<const extract::Role> roles) { builder.add(roles, *count++); });
}

CountedTags count_tags(const Passage& passage, const model::DrawnRows& samples) {
  return count_by_words(passage, samples.tags,
                        [&](std::size_t sample) { return samples.counts[sample]; });
}

std::size_t first_sample(const Passage& passage, std::span<const std::uint8_t> samples,
                         std::string_view tags) {
  const std::vector<extract::Role> wanted = extract::roles_of(tags);
  std::size_t first = 0;
  bool is_found = false;
  for_each_sample(passage, samples, [&](std::span<const extract::Role> roles) {
    is_found = is_found || std::equal(roles.begin(), roles.end(), wanted.begin(), wanted.end());
    if (!is_found) ++first;
  });
  return first;
}

void add_tags(const Passage& passage, std::span<const diffusion::WeightedTags> weighted,
              extract::CandidateSetBuilder& builder) {
  std::vector<extract::Role> roles(passage.piece_counts.size());
  for (const diffusion::WeightedTags& entry : weighted) {
    std::transform(entry.tags.begin(), entry.tags.end(), roles.begin(), extract::role_of);
    builder.add(roles, entry.weight);
  }
  std::fill(roles.begin(), roles.end(), extract::Role::kBackground);
  builder.add(roles, what_is_left(weighted));
}

CountedTags count_tags(const Passage& passage, std::span<const diffusion::WeightedTags> weighted) {
  CountedTags tags;
  for (const diffusion::WeightedTags& entry : weighted) tags.emplace_back(entry.tags, entry.weight);
  const std::uint32_t rest = what_is_left(weighted);
  if (rest > 0) tags.emplace_back(std::string(passage.piece_counts.size(), 'B'), rest);
  sort_by_count(tags);
  return tags;
}

}  // namespace diffie::engine
