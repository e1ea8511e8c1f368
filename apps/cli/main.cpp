#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "diffie/version.h"
#include "extract_command.h"
#include "hand_over.h"
#include "model_command.h"
#include "tokenize_command.h"

namespace diffie::cli {
namespace {

int run_program(int argc, char** argv) {
  CLI::App app{"Open information extraction by discrete diffusion", "diffie"};
  app.set_version_flag("--version", std::string("diffie ") + version());
  app.require_subcommand(1);
  const auto lab = [&](const char* name, const char* description) {
    return add_hand_over(app, name, description, {"diffie-lab", {name}, "make lab"});
  };
  const std::vector<Command> commands = {
      add_extract_command(app),
      add_tokenize_command(app),
      add_model_command(app),
      add_hand_over(app, "serve", "Triples over HTTP, and a page for people",
                    {"diffie-server", {}, "make server"}),
      lab("score", "Score a system's triples against a benchmark's gold"),
      lab("eval", "Quality and speed of a model's presets on CaRB dev and BenchIE"),
      lab("bench", "Speed, latency, memory, where the time goes"),
      lab("sweep", "Score many settings of selection from one pool of samples"),
      lab("rank", "Train a model's ranker"),
      lab("data", "Align, build and inspect training data"),
      add_hand_over(
          app, "train", "Train a model or sample pools on a GPU",
          {"diffie-train", {}, "cmake --preset train && cmake --build --preset train", true}),
  };
  return run_commands(app, commands, argc, argv);
}

}  // namespace
}  // namespace diffie::cli

int main(int argc, char** argv) {
  return diffie::cli::run_guarded(diffie::cli::run_program, argc, argv);
}
