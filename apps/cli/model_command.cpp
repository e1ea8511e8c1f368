#include "model_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/printable.h"
#include "diffie/model.h"
#include "hand_over.h"
#include "model_report.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

// Each adds its subcommand to `model` and returns what it does.
Command add_inspect(CLI::App& model) {
  struct Options {
    std::string dir;
    bool json = false, tensors = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* app = model.add_subcommand("inspect", "Show what a model directory holds");
  app->add_option("MODEL", options->dir, "Model directory or name")->required();
  app->add_flag("--json", options->json, "One JSON object, tensors included");
  app->add_flag("--tensors", options->tensors, "List every tensor");
  return {app, [options] {
            const ModelInfo info = inspect_model(find_model(options->dir));
            write_stdout(options->json ? model_report_json(info)
                                       : model_report(info, options->tensors));
            return kExitOk;
          }};
}

Command add_verify(CLI::App& model) {
  const auto dir = std::make_shared<std::string>();
  CLI::App* app = model.add_subcommand(
      "verify", "Check sums, tensors, values and vocabulary; exit code 0 or 1");
  app->add_option("MODEL", *dir, "Model directory or name")->required();
  return {app, [dir] {
            const std::vector<std::string> problems = verify_model(find_model(*dir));
            std::string report;
            for (const std::string& problem : problems)
              report += base::one_line_shown(problem) + "\n";
            write_stdout(problems.empty() ? "OK\n" : report);
            return problems.empty() ? kExitOk : kExitBadInput;
          }};
}

}  // namespace

Command add_model_command(CLI::App& app) {
  CLI::App* model = app.add_subcommand("model", "Look at, check, make and convert model files");
  const auto made_by_the_lab = [&](const char* name, const char* description) {
    return add_hand_over(*model, name, description, {"diffie-lab", {"model", name}, "make lab"});
  };
  return add_group(*model,
                   {add_inspect(*model), add_verify(*model),
                    made_by_the_lab("init", "Make a model directory with random weights"),
                    made_by_the_lab("convert", "Write a model with its matrices in another type")});
}

}  // namespace diffie::cli
