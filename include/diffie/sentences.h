#pragma once

#include <string_view>
#include <vector>

#include "diffie/span.h"

namespace diffie {

// Sentences of a raw English document in text order, without the white space around them. Knows
// abbreviations, initials, decimals, quotes, bullet lists, headings and hard-wrapped lines. A span
// may hold line breaks (hard-wrapped text); bytes outside all spans are white space only.
std::vector<Span> split_sentences(std::string_view document);

}  // namespace diffie
