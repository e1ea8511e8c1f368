// OpenIE 4 and 5: confidence TAB context TAB arg1 TAB rel TAB args TAB sentence, each part written
// as SimpleArgument(text,List([from, to))); or the sentence followed by bracketed tuples.
#include <fmt/core.h>

#include <optional>

#include "lab/score/readers/bracketed.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// "Relation(was born,List([3, 11)))" -> "was born".
std::optional<std::string> inner_text(std::string_view part) {
  const std::size_t open = part.find('(');
  const std::size_t list = part.find(",List(");
  if (open == std::string_view::npos || list == std::string_view::npos || list < open) {
    return std::nullopt;
  }
  return std::string(part.substr(open + 1, list - open - 1));
}

// OpenIE 5 separates arguments by ';' after the bracket that ends one.
std::vector<std::string_view> split_arguments(std::string_view cell) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = cell.find(");");
    parts.push_back(cell.substr(0, end));
    if (end == std::string_view::npos) return parts;
    cell.remove_prefix(end + 2);
  }
}

// Empty reason: done.
std::string read_columns(const std::vector<std::string_view>& cells, bool version5,
                         TupleSink& sink) {
  PredictedTuple tuple;
  if (!parse_number(cells[0], tuple.confidence)) {
    return fmt::format("confidence '{}' is no number", cells[0]);
  }
  // As CaRB's reader does: without a second argument there is no tuple; of version 4 only the
  // first of several further arguments is read, and no context.
  if (cells[2].empty() || cells[3].empty() || cells[4].empty()) return {};
  auto subject = inner_text(cells[2]);
  const auto relation = inner_text(cells[3]);
  if (!subject || !relation) return "no 'Name(text,List(...))' in column 3 or 4";
  if (version5 && !cells[1].empty()) {
    const auto context = inner_text(cells[1]);
    if (!context) return "no 'Context(text,List(...))' in column 2";
    if (!(*subject + ' ' + *relation).starts_with(*context)) *subject = *context + ' ' + *subject;
  }
  tuple.relation = *relation;
  tuple.arguments.push_back(*subject);
  const std::string_view further = text::strip(cells[4]);
  const auto parts = version5 ? split_arguments(further) : std::vector<std::string_view>{further};
  for (const std::string_view part : parts) {
    const auto argument = inner_text(part);
    if (!argument) return "no 'Name(text,List(...))' in column 5";
    tuple.arguments.push_back(*argument);
  }
  sink.add(cells[5], std::move(tuple));
  return {};
}

void read_openie(const std::vector<Line>& lines, bool version5, TupleSink& sink, BadLines& bad) {
  BracketedReader bracketed(sink, bad);
  for (const Line& line : lines) {
    const auto cells = text::split_at(text::strip(line.text), '\t');
    if (cells.size() == 1) {
      bracketed.read(line);
    } else if (cells.size() < 6) {
      bad.add(line.number,
              fmt::format("{} columns, wanted 6: confidence, context, arg1, rel, args, "
                          "sentence",
                          cells.size()));
    } else if (std::string reason = read_columns(cells, version5, sink); !reason.empty()) {
      bad.add(line.number, std::move(reason));
    }
  }
}

}  // namespace

void read_openie4(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  read_openie(lines, false, sink, bad);
}

void read_openie5(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  read_openie(lines, true, sink, bad);
}

}  // namespace diffie::score
