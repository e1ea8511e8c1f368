#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace diffie::cli {

struct ChildOutput {
  std::string out;
  double first_byte_s = 0;  // from before the start to the first byte of output
};

// Runs this very program with these arguments, `input` (at most 64 KB) as its standard input, and
// waits. Its errors go to our standard error. Throws kInternal when it cannot be started and
// kBadInput when it exits with another code than 0.
ChildOutput run_diffie(const std::vector<std::string>& arguments, std::string_view input);

}  // namespace diffie::cli
