// What the numbers of a ranker mean, under a number of its own: a ranker is read only where its
// features, the codes of the word kinds and the words of each are those it has learned from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "extract/feature_table.h"
#include "extract/word_kind.h"

namespace diffie::extract {

struct FeatureSchema {
  std::int32_t number = 0;
  std::size_t num_features = 0;  // the first ones of the table
  std::uint64_t fingerprint = 0;
};

// Features at the end of the table, or a change of it, of a code or of a list are another schema:
// it gets the next number here and rankers of its own. What a fingerprint cannot see, a changed
// function, does too. All of these are read.
inline constexpr auto kFeatureSchemas = std::to_array<FeatureSchema>({
    {1, 88, 0x44c71a7196c9387d},
    {2, 106, 0xf52f64800c59b1c9},
});

// nullptr: there is none of this number.
constexpr const FeatureSchema* find_schema(std::int32_t number) {
  for (const FeatureSchema& schema : kFeatureSchemas)
    if (schema.number == number) return &schema;
  return nullptr;
}

// FNV-1a of the names in their order, the code and the words of each kind, and the verbs of speech.
constexpr std::uint64_t schema_fingerprint(std::span<const std::string_view> names,
                                           std::span<const WordList> lists,
                                           std::span<const std::string_view> speech_verbs) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add_byte = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  const auto add_line = [&](std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte('\n');
  };
  for (const std::string_view name : names) add_line(name);
  for (const WordList& list : lists) {
    add_line(list.name);
    add_byte(static_cast<unsigned char>(list.kind));
    add_line(list.words);
  }
  for (const std::string_view verb : speech_verbs) add_line(verb);
  return hash;
}

constexpr bool schemas_are_as_they_were() {
  for (const FeatureSchema& schema : kFeatureSchemas) {
    const auto names = std::span(kFeatureNames).first(schema.num_features);
    if (schema_fingerprint(names, kWordLists, kSpeechVerbs) != schema.fingerprint) return false;
  }
  return kFeatureSchemas.back().num_features == kNumFeatures;
}
static_assert(schemas_are_as_they_were(),
              "features, word kinds or word lists have changed: they need a new schema number");

}  // namespace diffie::extract
