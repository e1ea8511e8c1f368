// CaRB's tabbed form, our own table, BenchIE's explicit form and the "<arg1> ... </arg1>" form of
// AllenNLP.
#include <fmt/core.h>

#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

// Between "<tag>" and "</tag>"; false if the pair is not there.
bool tagged(std::string_view text, std::string_view tag, std::string& content) {
  const std::string open = fmt::format("<{}>", tag);
  const std::string close = fmt::format("</{}>", tag);
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return false;
  const std::size_t end = text.find(close, begin);
  if (end == std::string_view::npos) return false;
  content = text::strip(text.substr(begin + open.size(), end - begin - open.size()));
  return true;
}

}  // namespace

// sentence TAB confidence TAB relation [TAB argument ...]; the line is stripped before it is split,
// so an empty last argument is no argument.
void read_tabbed(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (text.empty()) continue;
    const auto cells = text::split_at(text, '\t');
    PredictedTuple tuple;
    if (cells.size() < 3) {
      bad.add(line.number, fmt::format("{} columns, wanted sentence, confidence, relation and "
                                       "arguments",
                                       cells.size()));
    } else if (!parse_number(cells[1], tuple.confidence)) {
      bad.add(line.number, fmt::format("confidence '{}' is no number", cells[1]));
    } else {
      tuple.relation = cells[2];
      tuple.arguments.assign(cells.begin() + 3, cells.end());
      sink.add(cells[0], std::move(tuple));
    }
  }
}

// What `diffie extract --format tsv` writes: confidence TAB subject TAB relation TAB object TAB
// sentence. Cells may be empty but for the first and the last.
void read_tsv(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    if (text::strip(line.text).empty()) continue;
    const auto cells = text::split_at(line.text, '\t');
    PredictedTuple tuple;
    if (cells.size() != 5) {
      bad.add(line.number,
              fmt::format("{} columns, wanted 5: confidence, subject, relation, object, sentence",
                          cells.size()));
    } else if (!parse_number(cells[0], tuple.confidence)) {
      bad.add(line.number, fmt::format("confidence '{}' is no number", cells[0]));
    } else {
      tuple.relation = cells[2];
      tuple.arguments = {std::string(cells[1]), std::string(cells[3])};
      sink.add(cells[4], std::move(tuple));
    }
  }
}

// id TAB subject TAB relation TAB object.
void read_benchie_explicit(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (text.empty()) continue;
    const auto cells = text::split_at(text, '\t');
    if (cells.size() != 4) {
      bad.add(line.number,
              fmt::format("{} columns, wanted 4: sentence id, subject, relation, object",
                          cells.size()));
      continue;
    }
    PredictedTuple tuple;
    tuple.relation = cells[2];
    tuple.arguments = {std::string(cells[1]), std::string(cells[3])};
    sink.add_by_id(cells[0], std::move(tuple));
  }
}

// sentence TAB <arg1> a </arg1> <rel> r </rel> <arg2> b </arg2> TAB confidence.
void read_allennlp(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (text.empty()) continue;
    const auto cells = text::split_at(text, '\t');
    PredictedTuple tuple;
    tuple.arguments.resize(2);
    if (cells.size() != 3) {
      bad.add(line.number, fmt::format("{} columns, wanted 3: sentence, tagged tuple, confidence",
                                       cells.size()));
    } else if (!tagged(cells[1], "arg1", tuple.arguments[0]) ||
               !tagged(cells[1], "rel", tuple.relation) ||
               !tagged(cells[1], "arg2", tuple.arguments[1])) {
      bad.add(line.number, "no <arg1>, <rel> and <arg2> in the second column");
    } else if (!parse_number(cells[2], tuple.confidence)) {
      bad.add(line.number, fmt::format("confidence '{}' is no number", cells[2]));
    } else {
      sink.add(cells[0], std::move(tuple));
    }
  }
}

}  // namespace diffie::score
