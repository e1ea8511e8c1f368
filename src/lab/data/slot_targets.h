// A sentence and a triple cut into fine words, and where the words of the triple were placed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/lab/data.h"
#include "lab/data/fine_words.h"
#include "lab/data/placement.h"

namespace diffie::data {

inline constexpr std::uint32_t kSubject = 0;
inline constexpr std::uint32_t kRelation = 1;
inline constexpr std::uint32_t kObject = 2;

struct FineSentence {
  std::vector<std::string> words;  // lower-cased white-space words
  std::vector<FineWord> fine;
  std::vector<std::int32_t> at;  // per fine word: how many before it are no punctuation
  std::vector<std::vector<std::string>> stems;  // per fine word
};

// A fine word of a slot and the place it got.
struct Target {
  FineWord word;
  std::uint32_t role = 0;
  bool counts = true;  // is to be placed: no punctuation, or in a slot of nothing else
  std::vector<std::string> stems;
  std::optional<Candidate> place;
  bool implied = false;  // stands on its pseudo-word
};
using Targets = std::vector<Target>;  // slot after slot

inline std::array<std::string_view, 3> slots_of(const Triple& triple) {
  return {triple.subject, triple.relation, triple.object};
}

}  // namespace diffie::data
