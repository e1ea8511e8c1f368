// diffie-train: trains models, and samples pools from them on a GPU. `diffie train` starts it.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/write_stderr.h"
#include "commands.h"
#include "stdout.h"
#include "train/label.h"
#include "train/pools.h"
#include "train/run.h"
#include "usage.h"

namespace {

using namespace diffie;
using namespace diffie::train;

struct RunArguments {
  std::string config_path;
  std::vector<std::string> settings;
  RunOptions options;
};

CLI::App* add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App* command = app.add_subcommand("run", "Train a model as a TOML file says");
  RunOptions& options = arguments.options;
  command->add_option("--config", arguments.config_path, "Run file, see configs/")->required();
  command->add_option("--set", arguments.settings, "table.key=value, laid over the run file");
  command->add_option("--data", options.data, "Training files (diffie data build, distil)")
      ->required();
  command->add_option("--vocab", options.vocab, "vocab.txt of the encoder")->required();
  CLI::Option* encoder =
      command->add_option("--encoder", options.encoder, "Encoder weights; none: random ones");
  command->add_option("--init", options.init, "Model directory to start from: all its weights")
      ->excludes(encoder);
  command->add_option("--out", options.out, "Directory of the run")->required();
  command->add_option("--dev-sentences", options.dev_sentences, "Sentences to evaluate on");
  command->add_option("--dev-gold", options.dev_gold, "CaRB gold for them");
  command->add_option("--device", options.device, "auto, cpu or cuda")->capture_default_str();
  command->add_flag("--resume", options.resume, "Go on from the last checkpoint in --out");
  command->add_flag("--quiet", options.quiet, "No progress");
  return command;
}

CLI::App* add_sample(CLI::App& app, PoolOptions& options) {
  CLI::App* command = app.add_subcommand("sample", "Sample pools of tag sequences, as JSON lines");
  command->add_option("--model", options.model, "Model directory")->required();
  command->add_option("--sentences", options.sentences, "One a line, tokens between blanks")
      ->required();
  command->add_option("--out", options.out, "File to write")->required();
  command->add_option("--samples", options.settings.samples, "Sequences per sentence")
      ->capture_default_str();
  command->add_option("--steps", options.steps, "Denoising steps; 0: all trained ones")
      ->capture_default_str();
  command->add_option("--temperature", options.settings.temperature)->capture_default_str();
  command->add_option("--remask", options.settings.remask, "Absorbing kernel only")
      ->capture_default_str();
  command->add_option("--theta", options.settings.theta, "Anchored kernel only")
      ->capture_default_str();
  command->add_option("--branch", options.settings.branch, "Anchored kernel only")
      ->capture_default_str();
  command->add_flag("!--no-refine", options.settings.refine, "Anchored kernel only");
  command->add_option("--seed", options.settings.seed)->capture_default_str();
  command->add_option("--device", options.device, "auto, cpu or cuda")->capture_default_str();
  command->add_flag("!--fp32", options.bf16, "fp32 instead of bf16 on the GPU");
  return command;
}

CLI::App* add_label(CLI::App& app, LabelOptions& options) {
  CLI::App* command =
      app.add_subcommand("label", "Judge the instances of a training file by models with a judge");
  command->add_option("--model", options.models, "Model directories; the mean of what they say")
      ->required();
  command->add_option("--data", options.data, "Training file")->required();
  command->add_option("--out", options.out, "File to write")->required();
  command->add_option("--from-sentence", options.from_sentence, "Leave those before it unjudged")
      ->capture_default_str();
  command->add_option("--device", options.device, "auto, cpu or cuda")->capture_default_str();
  return command;
}

void label(const LabelOptions& options) {
  const LabelResult result = label_instances(options);
  cli::write_stdout(
      fmt::format("instances {} mean_exact {:.4f}\n", result.instances, result.mean_exact));
}

void run(RunArguments& arguments) {
  arguments.options.config = read_train_config(arguments.config_path, arguments.settings);
  const RunResult result = run_training(arguments.options);
  std::string line = fmt::format("steps {} seconds {:.1f} eval_seconds {:.1f} loss {:.4f}",
                                 result.steps, result.seconds, result.eval_seconds, result.loss);
  if (result.dev) {
    line +=
        fmt::format(" dev_f1 {:.2f} dev_auc {:.2f}", 100 * result.dev->f1, 100 * result.dev->auc);
  }
  cli::write_stdout(line + fmt::format(" model {}\n", result.model.string()));
}

void sample(const PoolOptions& options) {
  const PoolResult result = sample_pools(options);
  cli::write_stdout(
      fmt::format("sentences {} seconds {:.2f} sampling {:.2f} sentences/s {:.1f}\n",
                  result.sentences, result.seconds, result.sampling_seconds,
                  static_cast<double>(result.sentences) / std::max(1e-9, result.sampling_seconds)));
}

int report(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream text;
  if (app.exit(error, text, text) == 0) {  // --help
    cli::write_stdout(text.str());
    return cli::kExitOk;
  }
  base::write_stderr(text.str());
  return cli::kExitUsage;
}

int run_program(int argc, char** argv) {
  CLI::App app{"Training for diffie", "diffie-train"};
  app.require_subcommand(1);
  RunArguments run_arguments;
  PoolOptions pool_options;
  const CLI::App* run_command = add_run(app, run_arguments);
  const CLI::App* sample_command = add_sample(app, pool_options);
  LabelOptions label_options;
  const CLI::App* label_command = add_label(app, label_options);
  cli::refuse_missing_values(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  }
  if (run_command->parsed()) run(run_arguments);
  if (sample_command->parsed()) sample(pool_options);
  if (label_command->parsed()) label(label_options);
  return cli::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
  const int code = cli::run_guarded(run_program, argc, argv);
  std::fflush(nullptr);
  // Everything is written. LibTorch's own static destructors abort ("free(): invalid pointer") with
  // the CUDA wheel of 2.11, so they are not run.
  std::_Exit(code);
}
