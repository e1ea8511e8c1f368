#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench_command.h"
#include "commands.h"
#include "data_command.h"
#include "diffie/error.h"
#include "eval_command.h"
#include "extract_command.h"
#include "model_command.h"
#include "rank_command.h"
#include "score_command.h"
#include "sweep_command.h"
#include "tokenize_command.h"
#include "train_command.h"

namespace {

// CLI11 answers a bad option with a line about --help after it; one line is enough.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  using namespace diffie::cli;
  if (error.get_exit_code() == 0) {
    app.exit(error);  // --help, --version
    return kExitOk;
  }
  fmt::print(stderr, "diffie: {}\n", error.what());
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace diffie::cli;
  CLI::App app{"Open information extraction by discrete diffusion", "diffie"};
  app.set_version_flag("--version", "diffie " DIFFIE_VERSION);
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      add_bench_command(app),   add_data_command(app),  add_eval_command(app),
      add_extract_command(app), add_model_command(app), add_rank_command(app),
      add_score_command(app),   add_sweep_command(app), add_tokenize_command(app),
      add_train_command(app),
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error);
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
