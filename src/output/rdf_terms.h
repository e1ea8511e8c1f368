// IRIs and literals, as N-Triples and Turtle both spell them.
#pragma once

#include <string>
#include <string_view>

namespace diffie::output {

// Part of an IRI: all but unreserved ASCII characters percent-encoded. '_' too, so that
// iri_part() of a text in which blanks are to be '_' stays unambiguous.
std::string iri_part(std::string_view text, bool blank_is_underscore = false);

// With its quotes; bytes that are not UTF-8 are U+FFFD.
std::string rdf_string(std::string_view text);

// Throws kInvalidArgument unless it is an absolute IRI without characters that need escapes.
void check_base_iri(std::string_view iri);

}  // namespace diffie::output
