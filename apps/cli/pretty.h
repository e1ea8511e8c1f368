// Extractions for people: aligned, coloured on a terminal.
#pragma once

#include <string>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie::cli {

// The sentence on one line, then its triples, best first:
//   0.71  subject  |  relation  |  object  [not]  [possible]  [according to X]
// with the marks that its factuality asks for.
// `width`: columns of the terminal, 0 when piped (nothing is cut or wrapped then).
void append_pretty(std::string& out, std::string_view sentence, const SentenceResult& result,
                   bool colour, std::size_t width);

}  // namespace diffie::cli
