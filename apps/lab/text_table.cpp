#include "text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "display_width.h"

namespace diffie::cli {

void append_table(std::string& out, const std::vector<Cells>& lines, std::size_t left) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - display_width(line[i]), ' ');
      text += i == 0 ? "" : "  ";
      text += i < left ? line[i] + padding : padding + line[i];
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }
}

}  // namespace diffie::cli
