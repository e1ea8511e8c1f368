// ClausIE: the sentence on a line of its own (or after "# Line 12: "), then
// id TAB "subject" TAB "relation" TAB "argument" [TAB confidence] for each proposition.
#include <fmt/core.h>

#include <optional>

#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// Without the quotation marks around it, whatever they are.
std::string unquoted(std::string_view cell) {
  return cell.size() < 2 ? std::string() : std::string(cell.substr(1, cell.size() - 2));
}

// Notes of the verbose mode: "#   Detected 3 clause(s)", "# Semantic graph: ...".
bool is_note(std::string_view text) {
  return text.starts_with("#  ") || text.starts_with("# Semantic graph");
}

std::string_view sentence_in(std::string_view text) {
  if (!text.starts_with("# Line ")) return text;
  const std::size_t colon = text.find(": ");
  return colon == std::string_view::npos ? text : text::strip(text.substr(colon + 2));
}

}  // namespace

void read_clausie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  std::optional<std::string> sentence;
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (text.empty() || is_note(text)) continue;
    const auto cells = text::split_at(text, '\t');
    PredictedTuple tuple;
    if (cells.size() == 1) {
      sentence = sentence_in(text);
      sink.add_empty(*sentence);
    } else if (cells.size() != 4 && cells.size() != 5) {
      bad.add(line.number, fmt::format("{} columns, wanted a sentence alone or id, subject, "
                                       "relation, argument and confidence",
                                       cells.size()));
    } else if (!sentence) {
      bad.add(line.number, "a proposition before any sentence");
    } else if (cells.size() == 5 && !parse_number(cells[4], tuple.confidence)) {
      bad.add(line.number, fmt::format("confidence '{}' is no number", cells[4]));
    } else {
      tuple.relation = unquoted(cells[2]);
      tuple.arguments = {unquoted(cells[1]), unquoted(cells[3])};
      sink.add(*sentence, std::move(tuple));
    }
  }
}

}  // namespace diffie::score
