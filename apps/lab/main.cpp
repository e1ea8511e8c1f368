// What `diffie` hands over to: measuring, tuning and making models.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench_command.h"
#include "commands.h"
#include "data_command.h"
#include "diffie/version.h"
#include "eval_command.h"
#include "make_model_command.h"
#include "rank_command.h"
#include "score_command.h"
#include "sweep_command.h"

namespace diffie::cli {
namespace {

int run_program(int argc, char** argv) {
  CLI::App app{"The lab of diffie: score, evaluate, tune and make models", "diffie"};
  app.set_version_flag("--version", std::string("diffie ") + version());
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      add_bench_command(app), add_data_command(app),       add_eval_command(app),
      add_rank_command(app),  add_make_model_command(app), add_score_command(app),
      add_sweep_command(app),
  };
  return run_commands(app, commands, argc, argv);
}

}  // namespace
}  // namespace diffie::cli

int main(int argc, char** argv) {
  return diffie::cli::run_guarded(diffie::cli::run_program, argc, argv);
}
