// Triples that a caller may not want: those about a pronoun, those that another one contains.
#pragma once

#include <span>
#include <vector>

#include "extract/selector.h"
#include "reshape/line.h"

namespace diffie::reshape {

// Every word is a personal, possessive, reflexive, demonstrative or relative pronoun, or points to
// the here and now. "US", "IT" and "WHO" in capitals are names.
bool is_pronoun(const Line& line, std::span<const std::uint32_t> words);

// Each slot's words, implied ones too, are among those of the same slot of `outer`.
bool is_contained(const extract::Triple& inner, const extract::Triple& outer);

}  // namespace diffie::reshape
