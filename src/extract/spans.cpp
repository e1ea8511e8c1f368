// Tag sequences to triples: piece roles to word roles, then the construction rules.
#include <algorithm>

#include "base/assert.h"
#include "extract/selector.h"
#include "extract/word_kind.h"

namespace diffie::extract {
namespace {

constexpr std::array kTripleRoles = {Role::kSubject, Role::kRelation, Role::kObject};

bool keeps_all_runs(Rule rule, Role role) {
  return rule == Rule::kAllRuns || (rule == Rule::kRelationRuns && role == Role::kRelation);
}

// Words begin..end - 1 of the longest run of `role`, the first on ties; empty when there is none.
void take_longest_run(std::span<const Role> word_roles, Role role,
                      std::vector<std::uint32_t>& words) {
  std::size_t best_begin = 0;
  std::size_t best_length = 0;
  std::size_t length = 0;
  for (std::size_t word = 0; word < word_roles.size(); ++word) {
    length = word_roles[word] == role ? length + 1 : 0;
    if (length > best_length) {
      best_length = length;
      best_begin = word + 1 - length;
    }
  }
  for (std::size_t i = 0; i < best_length; ++i)
    words.push_back(static_cast<std::uint32_t>(best_begin + i));
}

void take_all_runs(std::span<const Role> word_roles, Role role, std::vector<std::uint32_t>& words) {
  for (std::size_t word = 0; word < word_roles.size(); ++word)
    if (word_roles[word] == role) words.push_back(static_cast<std::uint32_t>(word));
}

}  // namespace

bool construct_triple(std::span<const Role> word_roles, Rule rule, Triple& triple,
                      std::size_t num_implied) {
  DIFFIE_ASSERT(num_implied <= word_roles.size());
  const std::size_t in_sentence = word_roles.size() - num_implied;
  const std::span<const Role> implied = word_roles.subspan(in_sentence);
  word_roles = word_roles.first(in_sentence);
  for (std::size_t i = 0; i < kTripleRoles.size(); ++i) {
    triple.words[i].clear();
    if (keeps_all_runs(rule, kTripleRoles[i]))
      take_all_runs(word_roles, kTripleRoles[i], triple.words[i]);
    else
      take_longest_run(word_roles, kTripleRoles[i], triple.words[i]);
    for (std::size_t word = 0; kTripleRoles[i] == Role::kRelation && word < implied.size(); ++word)
      if (implied[word] == Role::kRelation)
        triple.words[i].push_back(static_cast<std::uint32_t>(in_sentence + word));
    if (triple.words[i].empty()) return false;
  }
  return true;
}

bool reads_first(std::string_view implied_word) {
  const WordKind kind = word_kind(implied_word);
  return kind == WordKind::kBe || kind == WordKind::kAuxiliary;
}

std::vector<std::uint32_t> reading_order(std::span<const std::uint32_t> slot,
                                         std::span<const std::string> words,
                                         std::size_t num_implied) {
  const std::size_t in_sentence = words.size() - num_implied;
  std::vector<std::uint32_t> ordered(slot.begin(), slot.end());
  std::stable_partition(ordered.begin(), ordered.end(), [&](std::uint32_t word) {
    return word >= in_sentence && reads_first(words[word]);
  });
  return ordered;
}

void piece_roles_to_words(std::span<const std::uint8_t> piece_tags,
                          std::span<const std::uint32_t> piece_counts, std::span<Role> word_roles,
                          std::size_t num_implied) {
  DIFFIE_ASSERT(piece_counts.size() == word_roles.size());
  std::size_t piece = 0;
  for (std::size_t word = 0; word < piece_counts.size(); ++word) {
    const std::uint32_t count = piece_counts[word];
    DIFFIE_ASSERT(count >= 1 && count <= piece_tags.size() - piece);
    const std::uint8_t tag = piece_tags[piece];
    bool agree = tag <= static_cast<std::uint8_t>(Role::kObject);
    for (std::uint32_t i = 1; i < count; ++i) agree = agree && piece_tags[piece + i] == tag;
    word_roles[word] = agree ? static_cast<Role>(tag) : Role::kBackground;
    piece += count;
  }
  DIFFIE_ASSERT(piece == piece_tags.size());
  for (Role& role : word_roles.last(num_implied))
    if (role != Role::kRelation) role = Role::kBackground;
}

}  // namespace diffie::extract
