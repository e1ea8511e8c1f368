#pragma once

#include <string_view>

namespace diffie::base {

// Writes to the standard error. Where it is closed, full or a pipe that nobody reads, what is left
// of the text is lost and nothing else happens: a message must never cost a result.
void write_stderr(std::string_view text) noexcept;

}  // namespace diffie::base
