// Whether the words of a triple hang together as a reader wants them. docs/scoring.md defines it.
#pragma once

#include <span>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie {

// Subject or object is in several parts, or the relation is and not just split as verbs are:
// "has recently signed", "did he go", "picked the book up". The spans are of `sentence`.
bool has_hole(std::string_view sentence, const Extraction& triple);

// Triples with a hole among all of them, in [0, 1]; 0 where there is none. One result per sentence.
double share_with_holes(std::span<const std::string_view> sentences,
                        std::span<const SentenceResult> results);

}  // namespace diffie
