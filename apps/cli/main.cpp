#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "commands.h"
#include "data_command.h"
#include "diffie/error.h"
#include "tokenize_command.h"
#include "train_command.h"

int main(int argc, char** argv) {
  using namespace diffie::cli;
  CLI::App app{"Open information extraction by discrete diffusion", "diffie"};
  app.set_version_flag("--version", "diffie 0.1.0");
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      add_data_command(app),
      add_tokenize_command(app),
      add_train_command(app),
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  try {
    for (const Command& command : commands) {
      if (command.app->parsed()) return command.run();
    }
  } catch (const diffie::Error& error) {
    fmt::print(stderr, "diffie: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "diffie: unexpected: {}\n", error.what());
  }
  return kExitUsage;
}
