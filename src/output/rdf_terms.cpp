#include "output/rdf_terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/field_error.h"
#include "base/utf8.h"

namespace diffie::output {
namespace {

bool is_ascii_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string iri_part(std::string_view text, bool blank_is_underscore) {
  std::string valid;
  base::append_valid_utf8(valid, text);
  std::string part;
  for (const char c : valid) {
    if (is_ascii_alphanumeric(c) || c == '-' || c == '.' || c == '~') {
      part += c;
    } else if (c == ' ' && blank_is_underscore) {
      part += '_';
    } else {
      part += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return part;
}

std::string rdf_string(std::string_view text) {
  std::string valid;
  base::append_valid_utf8(valid, text);
  std::string literal = "\"";
  for (const char c : valid) {
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (c == '\n') {
      literal += "\\n";
    } else if (c == '\r') {
      literal += "\\r";
    } else if (c == '\t') {
      literal += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      literal += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

void check_base_iri(std::string_view iri) {
  const std::size_t colon = iri.find(':');
  const bool scheme =
      colon != std::string_view::npos && colon > 0 && !(iri[0] >= '0' && iri[0] <= '9') &&
      std::all_of(iri.begin(), iri.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return is_ascii_alphanumeric(c) || c == '+' || c == '-' || c == '.';
      });
  const bool plain = std::all_of(iri.begin(), iri.end(), [](char c) {
    return c > 0x20 && c < 0x7F && std::string_view("<>\"{}|^`\\").find(c) == std::string::npos;
  });
  if (scheme && plain) return;
  throw base::FieldError(ErrorCode::kInvalidArgument, "base_iri",
                         fmt::format("base IRI '{}': not an absolute IRI in plain ASCII", iri));
}

}  // namespace diffie::output
