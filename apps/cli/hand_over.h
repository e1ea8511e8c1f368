// Commands that another program of ours carries out.
#pragma once

#include <string>
#include <vector>

#include "commands.h"

namespace diffie::cli {

struct Successor {
  std::string program;                 // stands beside this one
  std::vector<std::string> arguments;  // before those that the user gave
  std::string made_by;                 // what builds it, for who does not have it
  bool says_help = false;              // where the user gave nothing
};

// `name` and all that follows it, --help included, goes to the successor: the process becomes it.
Command add_hand_over(CLI::App& parent, const std::string& name, const std::string& description,
                      const Successor& successor);

}  // namespace diffie::cli
