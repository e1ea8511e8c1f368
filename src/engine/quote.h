#pragma once

#include <span>
#include <string_view>

#include "diffie/extractor.h"
#include "diffie/span.h"
#include "extract/selector.h"

namespace diffie::engine {

// Word indices become byte spans of the text: words that follow each other are one span, white
// space between them included, so that a span quotes the text as it stands.
Extraction quote(const extract::RankedTriple& ranked, std::string_view text,
                 std::span<const Span> word_bytes);

}  // namespace diffie::engine
