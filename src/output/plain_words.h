// Words of a sentence for formats that count in words.
#pragma once

#include <string_view>
#include <vector>

#include "diffie/extractor.h"

namespace diffie::output {

// Runs between white space, punctuation marks and CJK characters on their own, as the encoder's
// basic tokens; also cut where a span of a triple begins or ends, so that each span is whole words.
std::vector<Span> plain_words(std::string_view text, const std::vector<Extraction>& triples);

}  // namespace diffie::output
