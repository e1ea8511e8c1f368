#include "lab/score/readers/bracketed.h"

#include <vector>

#include "text/white_space.h"

namespace diffie::score {
namespace {

std::vector<std::string_view> split_at_semicolons(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find("; ");
    parts.push_back(text::strip(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 2);
  }
}

}  // namespace

std::optional<PredictedTuple> parse_bracketed(std::string_view line) {
  line = text::strip(line);
  const std::size_t number_end = line.find_first_of(": (\t");
  PredictedTuple tuple;
  if (number_end == std::string_view::npos) return std::nullopt;
  if (!parse_local_number(line.substr(0, number_end), tuple.confidence)) return std::nullopt;
  line.remove_prefix(number_end);
  if (line.starts_with(':')) line.remove_prefix(1);
  line = text::strip(line);
  if (line.starts_with("Context(")) {
    const std::size_t end = line.find("):(");
    if (end == std::string_view::npos) return std::nullopt;
    line.remove_prefix(end + 2);
  }
  if (line.ends_with(']')) line = text::strip(line.substr(0, line.rfind(")[") + 1));
  if (!line.starts_with('(') || !line.ends_with(')')) return std::nullopt;
  const auto parts = split_at_semicolons(line.substr(1, line.size() - 2));
  if (parts.size() < 2) return std::nullopt;
  tuple.relation = parts[1];
  tuple.arguments.emplace_back(parts[0]);
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const bool marked = parts[i].starts_with("T:") || parts[i].starts_with("L:");
    tuple.arguments.emplace_back(parts[i].substr(marked ? 2 : 0));
  }
  return tuple;
}

void BracketedReader::read(const Line& line) {
  const std::string_view text = text::strip(line.text);
  if (text.empty() || text == "No extractions found.") return;
  auto tuple = parse_bracketed(text);
  if (!tuple) {
    sentence_ = text;
    sink_.add_empty(text);
  } else if (sentence_) {
    sink_.add(*sentence_, std::move(*tuple));
  } else {
    bad_.add(line.number, "a tuple before any sentence");
  }
}

}  // namespace diffie::score
