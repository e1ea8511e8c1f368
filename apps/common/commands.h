// The subcommands. Each adds itself to the app and says what to do once it has been parsed.
#pragma once

#include <functional>
#include <vector>

#include "exit_codes.h"

namespace CLI {
class App;
}

namespace diffie::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // may throw diffie::Error; run_guarded() says it
};

// A command of several subcommands, of which one must be given.
Command add_group(CLI::App& group, std::vector<Command> commands);

// Parses the command line and carries out the command it names; the exit code.
int run_commands(CLI::App& app, const std::vector<Command>& commands, int argc, char** argv);

// All that a main() does: what `program` throws, from the making of its options on, is one line on
// stderr. The exit code.
int run_guarded(int (*program)(int argc, char** argv), int argc, char** argv);

}  // namespace diffie::cli
