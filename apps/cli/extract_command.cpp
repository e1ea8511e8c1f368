#include "extract_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "diagnostics.h"
#include "diffie/extractor.h"
#include "extraction_run.h"
#include "input_arguments.h"
#include "messages.h"
#include "output_arguments.h"
#include "run_description.h"
#include "settings_options.h"

namespace diffie::cli {
namespace {

struct ExtractArguments {
  InputArguments input;
  OutputArguments output;
  std::string model = "small";
  bool all = false;
  SettingsOptions settings;
};

int run_extract(const ExtractArguments& arguments) {
  arguments.output.check();
  const std::filesystem::path model_dir = find_model(arguments.model);
  const auto model = Model::load(model_dir);
  Settings settings = arguments.settings.resolve(*model);
  if (arguments.all) settings.min_confidence = 0;
  const Extractor extractor(model, settings);
  tell_notices(extractor);
  if (!model->trained()) {
    tell(fmt::format("model '{}' is untrained: its triples mean nothing", model->name()));
  }
  Diagnostics diagnostics;
  const bool by_line = arguments.input.lines() || settings.pretokenized;
  const InputOptions input =
      arguments.input.resolve(by_line ? InputMode::kLines : InputMode::kDocuments, diagnostics);
  const auto target = arguments.output.open_target(input);
  const auto journal = arguments.output.open_journal(
      [&] { return describe_run(model_dir, extractor.settings(), input); });
  const auto writer = arguments.output.make_writer(
      input, {model->name(), arguments.settings.preset_of(*model)}, *target);
  InputReader reader(input, diagnostics);
  extract_all({extractor, reader, *writer, *target, journal.get(), diagnostics});
  target->commit();
  if (journal) journal->remove();
  return diagnostics.exit_code();
}

}  // namespace

Command add_extract_command(CLI::App& app) {
  auto arguments = std::make_shared<ExtractArguments>();
  CLI::App* sub = app.add_subcommand("extract", "Print the triples of a text");
  arguments->input.add_to(*sub);
  sub->add_option("-m,--model", arguments->model, "Model directory or name")->capture_default_str();
  arguments->output.add_to(*sub);
  arguments->settings.add_to(*sub);
  sub->get_option("--lines")->excludes("--pretokenized");
  sub->add_flag("--all", arguments->all, "Everything found: --min-confidence 0")
      ->excludes("--min-confidence");
  return {sub, [arguments] { return run_extract(*arguments); }};
}

}  // namespace diffie::cli
