#pragma once

#include <span>
#include <string>
#include <string_view>

#include "diffie/extractor.h"
#include "diffie/text.h"
#include "extract/selector.h"

namespace diffie::engine {

// Word indices become byte spans of the text: words that follow each other are one span, white
// space between them included, so that a span quotes the text as it stands. Indices beyond are
// those of the implied words, which have none: verbs come before what is quoted, others after it.
Extraction quote(const extract::RankedTriple& ranked, std::string_view text,
                 std::span<const Span> word_bytes, std::span<const std::string> implied = {});

}  // namespace diffie::engine
