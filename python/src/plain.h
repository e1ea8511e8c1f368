// Results as tuples of plain values: what Python objects are made of, and pickles.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "diffie/extractor.h"
#include "reading.h"

namespace diffie::python {

using PlainSpans = std::vector<std::pair<std::size_t, std::size_t>>;

// Kind, text, spans.
using PlainCircumstance = std::tuple<std::string, std::string, PlainSpans>;
// subject, relation, object, confidence, implied, polarity, modality, whose claim it is; the spans
// of subject, relation, object and of whose claim it is; circumstances. Spans are bytes of the
// sentence, unless said otherwise.
using PlainTriple =
    std::tuple<std::string, std::string, std::string, double, std::vector<std::string>, std::string,
               std::string, std::optional<std::string>, std::array<PlainSpans, 4>,
               std::vector<PlainCircumstance>>;
// Triples, code and message of an error.
using PlainResult = std::tuple<std::vector<PlainTriple>, std::optional<std::string>, std::string>;
// Bytes, characters.
using PlainPlace = std::array<std::size_t, 4>;
using PlainReading = std::tuple<std::string, std::vector<PlainPlace>, std::vector<PlainResult>>;

PlainTriple to_plain(const Extraction& extraction);
PlainReading to_plain(const Reading& reading);
Reading from_plain(const PlainReading& plain);  // throws kBadInput for what cannot be

}  // namespace diffie::python
