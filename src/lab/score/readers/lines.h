// A text file as numbered lines, and the lines that could not be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/lab/score.h"

namespace diffie::score {

struct Line {
  std::size_t number = 0;  // from 1
  std::string_view text;   // without its end
};

// Lines end with \n, \r\n or \r; a byte order mark at the start is left out.
std::vector<Line> split_lines(std::string_view text);

class BadLines {
 public:
  void add(std::size_t line, std::string reason);
  // Gives the list to the caller, or throws kBadInput with the first of them when none may be
  // skipped.
  std::vector<BadLine> take(const std::string& path, bool skip_bad);

 private:
  std::vector<BadLine> lines_;
};

// A finite number as Python's float() reads it; outer white space is allowed.
bool parse_number(std::string_view text, double& value);
// The same with a decimal comma allowed: CoreNLP writes numbers in the language of its machine.
bool parse_local_number(std::string_view text, double& value);

}  // namespace diffie::score
