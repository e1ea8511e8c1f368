#include "commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "diffie/error.h"

namespace diffie::cli {
namespace {

// CLI11 answers a bad option with a line about --help after it; one line is enough.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);  // --help, --version
    return kExitOk;
  }
  fmt::print(stderr, "diffie: {}\n", error.what());
  return kExitUsage;
}

int run_parsed(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kExitUsage;
}

}  // namespace

Command add_group(CLI::App& group, std::vector<Command> commands) {
  group.require_subcommand(1);
  return {&group, [commands = std::move(commands)] { return run_parsed(commands); }};
}

int run_commands(CLI::App& app, const std::vector<Command>& commands, int argc, char** argv) {
  try {
    app.parse(argc, argv);  // options that are read as they come may throw an Error of ours
    return run_parsed(commands);
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error);
  } catch (const diffie::Error& error) {
    fmt::print(stderr, "diffie: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "diffie: unexpected: {}\n", error.what());
  }
  return kExitUsage;
}

}  // namespace diffie::cli
