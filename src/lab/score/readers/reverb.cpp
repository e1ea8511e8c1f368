// ReVerb's table, 13 columns or more: 3 to 5 are arg1, relation, arg2, 12 is the confidence, 13 the
// sentence. CoreNLP writes the same with openie.format = reverb; with ollie it writes bracketed
// tuples, by default confidence TAB subject TAB relation TAB object: both need the sentence above.
#include <fmt/core.h>

#include "lab/score/readers/bracketed.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

constexpr std::size_t kConfidence = 11;
constexpr std::size_t kSentence = 12;

void read_row(const Line& line, const std::vector<std::string_view>& cells, TupleSink& sink,
              BadLines& bad) {
  PredictedTuple tuple;
  if (cells.size() <= kSentence) {
    bad.add(line.number,
            fmt::format("{} columns, wanted 13 or more, the sentence in the 13th", cells.size()));
  } else if (!parse_local_number(cells[kConfidence], tuple.confidence)) {
    bad.add(line.number, fmt::format("confidence '{}' is no number", cells[kConfidence]));
  } else {
    tuple.relation = cells[3];
    tuple.arguments = {std::string(cells[2]), std::string(cells[4])};
    sink.add(cells[kSentence], std::move(tuple));
  }
}

}  // namespace

void read_reverb(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    if (!text.empty()) read_row(line, text::split_at(text, '\t'), sink, bad);
  }
}

void read_stanford(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  BracketedReader bracketed(sink, bad);
  for (const Line& line : lines) {
    const std::string_view text = text::strip(line.text);
    const auto cells = text::split_at(text, '\t');
    double confidence = 0;
    if (cells.size() == 1) {
      bracketed.read(line);
    } else if (cells.size() == 4 && parse_local_number(cells[0], confidence)) {
      const std::string tuple =
          fmt::format("{}: ({}; {}; {})", confidence, cells[1], cells[2], cells[3]);
      bracketed.read({line.number, tuple});
    } else {
      read_row(line, cells, sink, bad);
    }
  }
}

}  // namespace diffie::score
