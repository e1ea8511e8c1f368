// The subcommands. Each adds itself to the app and says what to do once it has been parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace diffie::cli {

// Exit codes: 0 all well; 1 some input was bad, the rest was done; 2 nothing could be done.
inline constexpr int kExitOk = 0;
inline constexpr int kExitBadInput = 1;
inline constexpr int kExitUsage = 2;

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // may throw diffie::Error; main prints it and exits with kExitUsage
};

// A command of several subcommands, of which one must be given.
Command add_group(CLI::App& group, std::vector<Command> commands);

// Parses the command line and carries out the command it names; the exit code.
int run_commands(CLI::App& app, const std::vector<Command>& commands, int argc, char** argv);

}  // namespace diffie::cli
