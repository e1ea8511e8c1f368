#include "lab/data/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "lab/data/closed_class.h"
#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

using Words = std::vector<std::string>;

const Triple& triple_of(const Outcome& outcome) { return outcome.row->triples[outcome.triple]; }

Words lower_words(std::string_view text) {
  Words words;
  for (const std::string_view word : text::split_words(text))
    words.push_back(text::lowercase(word));
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

void count(Share& share, const Outcome& outcome) {
  ++share.total;
  if (outcome.paper) {
    ++share.paper;
  } else if (outcome.recover) {
    ++share.recovered;
  } else {
    ++share.lost;
  }
}

// Groups by `group_of` in the order of `names`; empty groups are left out.
Breakdown group(std::span<const Outcome> outcomes, Breakdown breakdown, const Words& names,
                const std::function<std::string(const Outcome&)>& group_of) {
  std::map<std::string, Share> shares;
  for (const Outcome& outcome : outcomes) count(shares[group_of(outcome)], outcome);
  for (const std::string& name : names) {
    Share& share = shares[name];
    if (share.total == 0 && !breakdown.is_scale) continue;
    share.name = name;
    breakdown.shares.push_back(share);
  }
  return breakdown;
}

// Steps of `width` from `first` on; the last is open. "1-10", "11-20", ..., "51+".
Breakdown scale(std::span<const Outcome> outcomes, Breakdown breakdown, std::size_t first,
                std::size_t width, std::size_t steps,
                const std::function<std::size_t(const Outcome&)>& value_of) {
  Words names;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t low = first + step * width;
    names.push_back(step + 1 == steps ? fmt::format("{}+", low)
                    : width == 1      ? fmt::format("{}", low)
                                      : fmt::format("{}-{}", low, low + width - 1));
  }
  breakdown.is_scale = true;
  return group(outcomes, std::move(breakdown), names, [&](const Outcome& outcome) {
    const std::size_t value = std::max(value_of(outcome), first);
    return names[std::min((value - first) / width, steps - 1)];
  });
}

bool is_be(std::string_view word) {
  return is_one_of(word, {"is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"});
}

bool is_have(std::string_view word) { return is_one_of(word, {"has", "have", "had", "having"}); }

bool is_saying(std::string_view word) {
  return is_one_of(word, {"said", "says", "say", "saying", "told", "stated", "states", "claimed",
                          "claims", "added", "reported", "announced", "explained", "noted"});
}

std::string relation_type(const Outcome& outcome) {
  const Words words = lower_words(triple_of(outcome).relation);
  if (words.empty()) return "empty";
  const auto all = [&](const auto& test) { return std::ranges::all_of(words, test); };
  const auto is_function = [](const std::string& word) { return closed_class(word).has_value(); };
  if (all(is_be)) return "be alone: is, was, are";
  if (all([](const std::string& word) { return is_be(word) || is_have(word); })) {
    return "have alone: has, had, has been";
  }
  if (all(is_function)) {
    const bool with_be = std::ranges::any_of(words, is_be);
    return with_be ? "be and preposition: was in, are of" : "preposition alone: in, of, by";
  }
  if (is_saying(words.front())) return "saying: said, told, claimed that";
  if (is_be(words.front()) && words.back() == "by") return "passive with its agent: was built by";
  if (is_be(words.front()) && words.size() > 1 && is_one_of(words[1], {"a", "an", "the"})) {
    return "be and noun: is a part of";
  }
  if (is_be(words.front())) return "be and more: was born in, are known as";
  return words.size() == 1 ? "one verb: won, includes" : "verb and more: fell to, took part in";
}

bool mentions(std::string_view sentence, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(text::split_words(sentence),
                             [&](std::string_view word) { return is_one_of(word, words); });
}

std::string construction(const Outcome& outcome) {
  const std::string_view sentence = outcome.row->sentence;
  if (mentions(sentence, {"``", "''", "\""})) return "quoted speech in the sentence";
  if (mentions(sentence, {"-LRB-", "-LSB-", "(", "["})) return "brackets in the sentence";
  if (mentions(sentence, {";", ":", "--"})) return "semicolon, colon or dash";
  if (mentions(sentence, {"which", "who", "whose", "that", "whom"})) {
    return "relative or that-clause";
  }
  if (mentions(sentence, {","})) return "commas only";
  return "none of these";
}

// "S R O" by first words, or "interleaved" when a slot stands inside another.
std::string role_order(const std::string& tags) {
  std::vector<std::pair<std::size_t, char>> first;
  std::map<char, std::size_t> last;
  for (const char role : std::string_view("SRO")) {
    const std::size_t at = tags.find(role);
    if (at == std::string::npos) continue;
    first.emplace_back(at, role);
    last[role] = tags.rfind(role);
  }
  std::sort(first.begin(), first.end());
  std::string order;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i > 0 && first[i].first < last[first[i - 1].second]) return "interleaved";
    if (i > 0) order += ' ';
    order += first[i].second;
  }
  return order;
}

std::size_t runs_of(const std::string& tags, char role) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (tags[i] == role && (i == 0 || tags[i - 1] != role)) ++runs;
  }
  return runs;
}

std::size_t longest_gap(const std::string& tags) {
  std::size_t longest = 0;
  for (const char role : std::string_view("SRO")) {
    for (std::size_t at = tags.find(role); at != std::string::npos;) {
      const std::size_t next = tags.find(role, at + 1);
      if (next != std::string::npos) longest = std::max(longest, next - at - 1);
      at = next;
    }
  }
  return longest;
}

std::vector<Outcome> only_aligned(std::span<const Outcome> outcomes) {
  std::vector<Outcome> aligned;
  std::ranges::copy_if(outcomes, std::back_inserter(aligned),
                       [](const Outcome& outcome) { return outcome.recover.has_value(); });
  return aligned;
}

const char* slot_name(char role) {
  return role == 'S' ? "subject" : role == 'R' ? "relation" : "object";
}

}  // namespace

std::vector<Outcome> audit_outcomes(std::span<const Row> rows) {
  const Aligner paper({.aligner = AlignerKind::kPaper});
  const Aligner recover({.aligner = AlignerKind::kRecover});
  std::vector<Outcome> outcomes;
  for (const Row& row : rows) {
    const auto by_paper = paper.align(row);
    const auto by_recover = recover.align(row);
    for (std::size_t i = 0; i < row.triples.size(); ++i) {
      outcomes.push_back({&row, i, by_paper[i], by_recover[i]});
    }
  }
  return outcomes;
}

std::string category_of(const Outcome& outcome) {
  if (!outcome.recover) return "not aligned";
  // From the hardest to the mildest; the empty object is a kind of its own.
  constexpr std::array<Relaxation, 7> kHardestFirst = {
      Relaxation::kEmptySlot, Relaxation::kReordered, Relaxation::kInflected,
      Relaxation::kSkipped,   Relaxation::kGaps,      Relaxation::kPunctuation,
      Relaxation::kRoleOrder};
  for (const Relaxation relaxation : kHardestFirst) {
    if ((outcome.recover->relaxations & static_cast<std::uint8_t>(relaxation)) != 0) {
      return std::string(name_of(relaxation));
    }
  }
  return "verbatim";
}

Breakdown by_category(std::span<const Outcome> outcomes) {
  Breakdown breakdown = group(outcomes, {"By the hardest relaxation needed", "", false, {}},
                              {"verbatim", "role-order", "punctuation", "gaps", "skipped",
                               "inflected", "reordered", "empty-slot", "not aligned"},
                              category_of);
  const std::map<std::string, std::string> notes = {
      {"verbatim", "words as spelled, in one piece, subject before relation before object"},
      {"role-order", "the slots stand in another order"},
      {"punctuation", "glued words, quotes, brackets or commas differ"},
      {"gaps", "a slot has words between its words"},
      {"skipped", "a function word is left out: the sentence lacks it, or has it elsewhere"},
      {"inflected", "a word stands in another form"},
      {"reordered", "the words of a slot stand in another order"},
      {"empty-slot", "the triple has no object"},
      {"not aligned", "a content word is missing, or two slots need the same word"}};
  for (Share& share : breakdown.shares) share.note = notes.at(share.name);
  return breakdown;
}

Breakdown by_combination(std::span<const Outcome> outcomes, std::size_t limit) {
  const auto name = [](const Outcome& outcome) {
    return outcome.recover ? name_of_mask(outcome.recover->relaxations) : "not aligned";
  };
  Words names;
  for (const Outcome& outcome : outcomes) names.push_back(name(outcome));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Breakdown all = group(outcomes, {"By combination of relaxations", "", false, {}}, names, name);
  std::ranges::stable_sort(all.shares, std::ranges::greater{}, &Share::total);
  if (all.shares.size() > limit) all.shares.resize(limit);
  return all;
}

Breakdown by_relation_type(std::span<const Outcome> outcomes) {
  return group(outcomes, {"By type of relation", "", false, {}},
               {"be alone: is, was, are", "have alone: has, had, has been",
                "be and preposition: was in, are of", "preposition alone: in, of, by",
                "be and noun: is a part of", "be and more: was born in, are known as",
                "passive with its agent: was built by", "saying: said, told, claimed that",
                "one verb: won, includes", "verb and more: fell to, took part in", "empty"},
               relation_type);
}

Breakdown by_construction(std::span<const Outcome> outcomes) {
  return group(
      outcomes,
      {"By construction of the sentence", "The first that applies, from the top.", false, {}},
      {"quoted speech in the sentence", "brackets in the sentence", "semicolon, colon or dash",
       "relative or that-clause", "commas only", "none of these"},
      construction);
}

Breakdown by_role_order(std::span<const Outcome> outcomes) {
  return group(outcomes, {"By order of the roles in the sentence", "", false, {}},
               {"S R O", "S O R", "R S O", "R O S", "O S R", "O R S", "interleaved", "S R", "R S",
                "not aligned"},
               [](const Outcome& outcome) {
                 return outcome.recover ? role_order(outcome.recover->tags) : "not aligned";
               });
}

Breakdown by_pieces(std::span<const Outcome> outcomes) {
  const std::vector<Outcome> aligned = only_aligned(outcomes);
  Breakdown all = {"Pieces of each slot", "Of the triples that are aligned.", false, {}};
  for (const char role : std::string_view("SRO")) {
    const Breakdown one = scale(aligned, {}, 1, 1, 4, [role](const Outcome& outcome) {
      return runs_of(outcome.recover->tags, role);
    });
    for (Share share : one.shares) {
      if (share.total == 0) continue;
      share.name = fmt::format("{} in {} piece{}", slot_name(role), share.name,
                               share.name == "1" ? "" : "s");
      all.shares.push_back(share);
    }
  }
  return all;
}

Breakdown by_longest_gap(std::span<const Outcome> outcomes) {
  std::vector<Outcome> with_gap = only_aligned(outcomes);
  std::erase_if(with_gap,
                [](const Outcome& outcome) { return longest_gap(outcome.recover->tags) == 0; });
  return scale(with_gap, {"Words in the longest gap of a slot, where there is one", "", true, {}},
               1, 1, 12, [](const Outcome& outcome) { return longest_gap(outcome.recover->tags); });
}

Breakdown by_extent(std::span<const Outcome> outcomes) {
  return scale(only_aligned(outcomes),
               {"Words from the first to the last tagged one", "", true, {}}, 1, 5, 10,
               [](const Outcome& outcome) {
                 const std::string& tags = outcome.recover->tags;
                 return tags.find_last_not_of('B') - tags.find_first_not_of('B') + 1;
               });
}

Breakdown by_sentence_length(std::span<const Outcome> outcomes) {
  return scale(
      outcomes, {"Words in the sentence", "", true, {}}, 1, 6, 10,
      [](const Outcome& outcome) { return text::split_words(outcome.row->sentence).size(); });
}

Breakdown by_triple_count(std::span<const Outcome> outcomes) {
  return scale(outcomes, {"Triples of the sentence", "", true, {}}, 1, 1, 12,
               [](const Outcome& outcome) { return outcome.row->triples.size(); });
}

Breakdown by_slot_length(std::span<const Outcome> outcomes, char role) {
  return scale(outcomes, {fmt::format("Words in the {}", slot_name(role)), "", true, {}}, 1, 1, 12,
               [role](const Outcome& outcome) {
                 const Triple& triple = triple_of(outcome);
                 return text::split_words(role == 'S'   ? triple.subject
                                          : role == 'R' ? triple.relation
                                                        : triple.object)
                     .size();
               });
}

}  // namespace diffie::data
