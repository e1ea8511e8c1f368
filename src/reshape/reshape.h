// What is made of a sentence's chosen triples where the settings ask for it: coordinated arguments
// split, time and place marked, triples left out that a caller does not want. docs/reshaping.md
// defines what is meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "diffie/settings.h"
#include "extract/selector.h"

namespace diffie::reshape {

struct Statement {
  extract::RankedTriple ranked;
  std::size_t origin = 0;  // which of the chosen triples it comes from
  Factuality factuality = {};
  std::vector<Circumstance> circumstances = {};
};

// Chosen triples come and go by falling confidence; what one is split into stands in its place, in
// text order. Text, bytes and words as for facts::SentenceFacts.
std::vector<Statement> reshape(std::span<const extract::RankedTriple> chosen, std::string_view text,
                               std::span<const Span> word_bytes,
                               std::span<const std::string> lower_words, const Settings& settings);

}  // namespace diffie::reshape
