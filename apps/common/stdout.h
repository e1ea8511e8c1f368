#pragma once

#include <string_view>

namespace diffie::cli {

// Writes and flushes; a full disk or a closed pipe is an Error.
void write_stdout(std::string_view text);

}  // namespace diffie::cli
