#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace diffie::base {

// Text of a file made safe for a one-line message: control characters and bytes outside ASCII
// become \xNN, and what is longer than `max_bytes` is cut with "...".
std::string printable(std::string_view text, std::size_t max_bytes = 80);

// What a terminal or a reader of lines obeys instead of showing it: control characters (C0, C1,
// delete) and the line and paragraph separators U+2028 and U+2029.
bool is_control(char32_t code_point);
// Embeddings, overrides and isolates, which make text read in another order than it stands.
bool is_bidi_control(char32_t code_point);

// Valid UTF-8 on one line that a terminal shows as it stands: control and bidirectional characters
// become \x1b, \u202e; ill-formed bytes U+FFFD. Names of files and texts in messages go through it.
std::string one_line_shown(std::string_view text);

}  // namespace diffie::base
