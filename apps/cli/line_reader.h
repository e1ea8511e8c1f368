// Lines of files and of standard input, one at a time.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace diffie::cli {

struct InputLine {
  std::string_view text;  // without its \n; a \r stays
  std::string_view file;
  std::size_t number = 0;  // from 1
};

// Calls `handle` for every line of every file ("-" or no file: standard input). A file that cannot
// be read gets one line on stderr and the rest is read all the same; returns false then.
bool for_each_line(std::span<const std::string> files,
                   const std::function<void(const InputLine&)>& handle);

// One line on stderr naming file, line and byte when the line is no valid UTF-8; returns whether it
// is valid.
bool check_utf8(const InputLine& line);

}  // namespace diffie::cli
