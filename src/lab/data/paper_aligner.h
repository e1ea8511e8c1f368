// The alignment filter of the paper, word for word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diffie/lab/data.h"

namespace diffie::data {

// Slots in the order subject, relation, object, each after the end of the one before: as a run of
// equal words (case ignored), failing that word by word, each at the first equal one. An empty slot
// is always placed.
std::optional<Alignment> align_paper(std::string_view sentence, const Triple& triple);

}  // namespace diffie::data
