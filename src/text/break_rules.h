// Whether a candidate break really ends a sentence: initials, abbreviations, numbers, quotes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace diffie::text {

bool is_stop(char32_t code_point);    // . ! ? and their kin, ellipsis
bool is_closer(char32_t code_point);  // quotes and brackets that may follow a stop

// A line's first word when it is a list marker: "-", "*", "1.", "(a)", "iv)". Empty otherwise.
std::string_view list_marker(std::string_view line);

// `block` without what precedes the sentence: it begins at 0; a candidate stands at `pos`. Where
// the next sentence begins, if this one ends: at `pos`, or behind closing quotes and brackets that
// stand apart ("it . '' Then").
std::optional<std::size_t> next_sentence(std::string_view block, std::size_t pos);

}  // namespace diffie::text
