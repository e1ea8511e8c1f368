#include "lab/data/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "diffie/error.h"

namespace diffie::data {

bool TableReader::at_line_end() const {
  return text_.empty() || text_.front() == '\n' || text_.starts_with("\r\n");
}

void TableReader::pass_line_end() {
  if (text_.starts_with('\r')) text_.remove_prefix(1);
  if (text_.starts_with('\n')) text_.remove_prefix(1);
  ++line_;
}

std::string TableReader::quoted_cell() {
  std::string cell;
  text_.remove_prefix(1);
  while (true) {
    const std::size_t quote = text_.find('"');
    if (quote == std::string_view::npos) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: quoted cell without closing quote", name_, record_line_));
    }
    cell += text_.substr(0, quote);
    text_.remove_prefix(quote + 1);
    if (!text_.starts_with('"')) break;
    cell += '"';
    text_.remove_prefix(1);
  }
  line_ += static_cast<std::size_t>(std::ranges::count(cell, '\n'));
  if (!at_line_end() && text_.front() != '\t') {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}: '{}' after a closing quote, wanted a tab or the line's end",
                            name_, record_line_, text_.front()));
  }
  return cell;
}

std::string TableReader::plain_cell() {
  const std::size_t end = std::min(text_.find_first_of("\t\n"), text_.size());
  std::string cell(text_.substr(0, end));
  text_.remove_prefix(end);
  if (cell.ends_with('\r') && !text_.starts_with('\t')) cell.pop_back();
  return cell;
}

std::optional<std::vector<std::string>> TableReader::next() {
  while (!text_.empty() && at_line_end()) pass_line_end();
  if (text_.empty()) return std::nullopt;
  record_line_ = line_;
  std::vector<std::string> cells;
  while (true) {
    const bool quoted = quoting_ == Quoting::kCsv && text_.starts_with('"');
    cells.push_back(quoted ? quoted_cell() : plain_cell());
    if (at_line_end()) break;
    text_.remove_prefix(1);  // the tab
  }
  pass_line_end();
  return cells;
}

}  // namespace diffie::data
