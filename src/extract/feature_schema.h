// What the numbers of a ranker mean, under a number of its own: a ranker is read only where its
// features, the codes of the word kinds and the words of each are those it has learned from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "extract/feature_table.h"
#include "extract/word_kind.h"

namespace diffie::extract {

struct FeatureSchema {
  std::int32_t number = 0;
  std::uint64_t fingerprint = 0;
};

// A change of the table, of a code or of a list is another schema: it gets the next number here
// and rankers of its own. What a fingerprint cannot see, a changed function, does too.
inline constexpr FeatureSchema kFeatureSchema = {1, 0x44c71a7196c9387d};

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

static_assert(schema_fingerprint(kFeatureNames, kWordLists, kSpeechVerbs) ==
                  kFeatureSchema.fingerprint,
              "features, word kinds or word lists have changed: they need a new schema number");

}  // namespace diffie::extract
