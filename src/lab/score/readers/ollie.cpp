// OLLIE's table (a header, then confidence TAB arg1 TAB rel TAB arg2 TAB enabler TAB attribution
// TAB sentence TAB ...) or its bracketed tuples; DetIE writes the same table with CSV quoting.
#include <fmt/core.h>

#include "lab/score/readers/bracketed.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// Cells between tabs; a cell that begins with '"' ends with the next single '"', "" inside it is
// one quotation mark, and tabs inside it do not separate.
std::vector<std::string> split_quoted(std::string_view text) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  bool at_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text.substr(i + 1, 1) == "\"") {
      cells.back() += c;
      ++i;
    } else if (quoted && c == '"') {
      quoted = false;
    } else if (!quoted && at_start && c == '"') {
      quoted = true;
    } else if (!quoted && c == '\t') {
      cells.emplace_back();
      at_start = true;
      continue;
    } else {
      cells.back() += c;
    }
    at_start = false;
  }
  return cells;
}

void read_table(const Line& line, const std::vector<std::string>& cells, TupleSink& sink,
                BadLines& bad) {
  PredictedTuple tuple;
  if (cells.size() < 7) {
    bad.add(line.number, fmt::format("{} columns, wanted 7: confidence, arg1, rel, arg2, enabler, "
                                     "attribution, sentence",
                                     cells.size()));
  } else if (!parse_number(cells[0], tuple.confidence)) {
    bad.add(line.number, fmt::format("confidence '{}' is no number", cells[0]));
  } else {
    tuple.relation = cells[2];
    tuple.arguments = {cells[1], cells[3]};
    sink.add(cells[6], std::move(tuple));
  }
}

void read(const std::vector<Line>& lines, bool csv_quoting, TupleSink& sink, BadLines& bad) {
  BracketedReader bracketed(sink, bad);
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    const auto cells = text::split_at(text, '\t');
    if (cells.size() == 1) {
      bracketed.read(line);
    } else if (line.number == 1 && cells[0] == "confidence") {
      continue;
    } else if (csv_quoting) {
      read_table(line, split_quoted(text), sink, bad);
    } else {
      read_table(line, {cells.begin(), cells.end()}, sink, bad);
    }
  }
}

}  // namespace

void read_ollie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  read(lines, false, sink, bad);
}

void read_detie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  read(lines, true, sink, bad);
}

}  // namespace diffie::score
