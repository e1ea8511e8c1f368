#pragma once

#include <string>
#include <vector>

namespace diffie::cli {

using Cells = std::vector<std::string>;

// Appends the lines as aligned columns, two blanks apart: the first `left` of them to the left, the
// others to the right. All lines have as many cells as the first.
void append_table(std::string& out, const std::vector<Cells>& lines, std::size_t left);

}  // namespace diffie::cli
