// From placed words to tags.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "lab/data/slot_targets.h"

namespace diffie::data {

// Tags for the words that were placed and the punctuation that goes with them; relation words that
// were not take their pseudo-word among `implied`. nullopt when a word would need two roles, or a
// slot that has words would get none.
std::optional<Alignment> tag_sentence(const FineSentence& sentence, const Triple& triple,
                                      Targets targets, std::span<const std::string> implied);

}  // namespace diffie::data
