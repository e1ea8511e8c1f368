// Tuples printed for people, "0.93: (subject; relation; object)", below the sentence they are from:
// what OLLIE, OpenIE 4 and 5, OpenIE6 and CoreNLP show.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lab/score/readers/readers.h"

namespace diffie::score {

// Accepts ':' after the number, "Context(...):" before the bracket, "[...]" after it and "T:",
// "L:" before an argument (their marks for time and place). Nothing if the line is not a tuple.
std::optional<PredictedTuple> parse_bracketed(std::string_view line);

// Sentences and their tuples on lines of their own, for one line after the other.
class BracketedReader {
 public:
  BracketedReader(TupleSink& sink, BadLines& bad) : sink_(sink), bad_(bad) {}
  void read(const Line& line);

 private:
  TupleSink& sink_;
  BadLines& bad_;
  std::optional<std::string> sentence_;
};

}  // namespace diffie::score
