#include "extract_command.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "diffie/error.h"
#include "diffie/extractor.h"
#include "diffie/output.h"
#include "input.h"
#include "pretty.h"
#include "progress.h"
#include "settings_options.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

struct ExtractArguments {
  std::vector<std::string> files;
  std::string model = "small";
  std::string format = "text";
  std::string colour = "auto";
  bool lines = false;
  bool all = false;
  SettingsOptions settings;
};

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// Turns results into bytes of the chosen format and writes them.
class ResultPrinter {
 public:
  ResultPrinter(const ExtractArguments& arguments, bool by_line) {
    if (arguments.format == "jsonl") format_ = OutputFormat::kJsonl;
    if (arguments.format == "tsv") format_ = OutputFormat::kTsv;
    if (arguments.format == "carb") format_ = OutputFormat::kCarb;
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    const bool wanted = terminal && std::getenv("NO_COLOR") == nullptr;
    colour_ = arguments.colour == "always" || (arguments.colour == "auto" && wanted);
    width_ = terminal ? terminal_width() : 0;
    with_source_ = !by_line;
  }

  void print(const std::vector<InputSentence>& sentences,
             const std::vector<SentenceResult>& results) {
    text_.clear();
    for (std::size_t index = 0; index < sentences.size(); ++index) {
      const InputSentence& sentence = sentences[index];
      if (!format_) {
        append_pretty(text_, sentence.text, results[index], colour_, width_);
        continue;
      }
      std::optional<Source> source;
      if (with_source_) source = Source{sentence.file, sentence.bytes};
      append_result(text_, *format_, sentence.text, results[index], source);
    }
    write_stdout(text_);
  }

 private:
  std::optional<OutputFormat> format_;  // none: for people
  bool colour_ = false;
  bool with_source_ = false;
  std::size_t width_ = 0;
  std::string text_;
};

int run_extract(const ExtractArguments& arguments) {
  const auto model = Model::load(find_model(arguments.model));
  Settings settings = arguments.settings.resolve(*model);
  if (arguments.all) settings.min_confidence = 0;
  const Extractor extractor(model, settings);
  if (!model->trained()) {
    fmt::print(stderr, "diffie: model '{}' is untrained: its triples mean nothing\n",
               model->name());
  }
  Diagnostics diagnostics;
  const bool by_line = arguments.lines || extractor.settings().pretokenized;
  InputReader reader(arguments.files, by_line ? InputMode::kLines : InputMode::kDocuments,
                     diagnostics);
  ResultPrinter printer(arguments, by_line);
  Progress progress;
  const auto batch_size = static_cast<std::size_t>(32 * extractor.settings().threads);
  std::uint64_t done = 0;
  while (true) {
    const std::vector<InputSentence> batch = reader.next(batch_size);
    if (batch.empty()) break;
    std::vector<std::string_view> texts;
    for (const InputSentence& sentence : batch) texts.push_back(sentence.text);
    const std::vector<SentenceResult> results = extractor.extract(texts);
    for (std::size_t index = 0; index < batch.size(); ++index) {
      if (!results[index].error) continue;
      diagnostics.bad_input(fmt::format("{}: sentence at byte {}: {}", batch[index].file,
                                        batch[index].bytes.begin, results[index].error_message));
    }
    printer.print(batch, results);
    done += batch.size();
    progress.update(done, reader.bytes_read(), reader.bytes_total());
  }
  return diagnostics.exit_code();
}

}  // namespace

Command add_extract_command(CLI::App& app) {
  auto arguments = std::make_shared<ExtractArguments>();
  CLI::App* sub = app.add_subcommand("extract", "Print the triples of a text");
  sub->add_option("files", arguments->files, "Text files, '-' for standard input (the default)");
  sub->add_option("-m,--model", arguments->model, "Model directory or name")->capture_default_str();
  sub->add_option("-f,--format", arguments->format, "text, jsonl, tsv or carb")
      ->check(CLI::IsMember({"text", "jsonl", "tsv", "carb"}))
      ->capture_default_str();
  sub->add_flag("--lines", arguments->lines, "One sentence per line, words found by us");
  sub->add_option("--colour,--color", arguments->colour, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  arguments->settings.add_to(*sub);
  sub->add_flag("--all", arguments->all, "Everything found: --min-confidence 0")
      ->excludes("--min-confidence");
  return {sub, [arguments] { return run_extract(*arguments); }};
}

}  // namespace diffie::cli
