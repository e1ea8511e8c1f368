#include "bench_command.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench_output.h"
#include "child_process.h"
#include "data_dir.h"
#include "diffie/error.h"
#include "diffie/lab/timeline.h"
#include "files/atomic_file.h"
#include "input.h"
#include "locate.h"
#include "outputs.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;

struct BenchArguments {
  std::string model = "small";
  std::vector<std::string> presets;  // none: the model's default
  std::vector<std::int32_t> threads = {0};
  std::vector<std::int32_t> samples;  // none: the preset's
  std::vector<std::int32_t> steps;
  std::string data = default_data_dir();
  std::string input;
  std::string gold;
  bool pretokenized = false;
  std::size_t limit = 0;  // 0: all
  std::int32_t repeat = 3;
  std::size_t latency = 200;
  std::int32_t starts = 5;
  std::uint64_t seed = 0;
  std::string times;  // as set_setting reads them; empty, here and below: the preset's
  std::string shared;
  std::string theta;
  std::string branch;
  std::string precision;
  std::string device;
  bool json = false;
  std::string compare;
  std::string timeline;
  bool one_process = false;
};

// One point of the grid.
struct Configuration {
  std::string preset;
  std::int32_t threads = 0;
  std::optional<std::int32_t> samples;
  std::optional<std::int32_t> steps;
};

// Where no input is named: CaRB dev with its gold, or else the sample text.
void fill_in_input(BenchArguments& arguments) {
  if (!arguments.input.empty()) return;
  const fs::path dev = fs::path(arguments.data) / "carb" / "dev";
  std::error_code ignored;
  if (fs::exists(dev / "dev.txt", ignored)) {
    arguments.input = (dev / "dev.txt").string();
    arguments.pretokenized = true;
    if (arguments.gold.empty() && fs::exists(dev / "dev.tsv", ignored)) {
      arguments.gold = (dev / "dev.tsv").string();
    }
  }
}

std::vector<std::string> read_sentences(const std::string& file, InputMode mode) {
  Diagnostics diagnostics;
  std::vector<std::string> sentences = read_all_sentences(file, mode, diagnostics);
  std::erase(sentences, "");
  if (sentences.empty()) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: no sentences to measure with", file));
  }
  return sentences;
}

std::vector<std::string> sentences_of(const BenchArguments& arguments) {
  std::vector<std::string> sentences;
  if (!arguments.input.empty()) {
    sentences = read_sentences(arguments.input, InputMode::kLines);
  } else {
    const auto sample = read_sentences(find_share_file("demo/sample.txt"), InputMode::kDocuments);
    while (sentences.size() < 64) sentences.insert(sentences.end(), sample.begin(), sample.end());
  }
  if (arguments.limit == 0 || arguments.limit >= sentences.size()) return sentences;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < arguments.limit; ++i) {
    some.push_back(sentences[i * sentences.size() / arguments.limit]);
  }
  return some;
}

template <typename Value>
std::vector<std::optional<Value>> or_none(const std::vector<Value>& values) {
  if (values.empty()) return {std::nullopt};
  return {values.begin(), values.end()};
}

std::vector<Configuration> grid(const BenchArguments& arguments) {
  std::vector<std::string> presets = arguments.presets;
  if (presets.empty()) presets.emplace_back();
  std::vector<Configuration> all;
  for (const std::string& preset : presets) {
    for (const auto& steps : or_none(arguments.steps)) {
      for (const auto& samples : or_none(arguments.samples)) {
        for (const std::int32_t threads : arguments.threads) {
          all.push_back({preset, threads, samples, steps});
        }
      }
    }
  }
  return all;
}

Settings settings_of(const Model& model, const BenchArguments& arguments,
                     const Configuration& configuration) {
  Settings settings = model.settings(configuration.preset);
  if (configuration.samples) settings.samples = *configuration.samples;
  if (configuration.steps) settings.steps = *configuration.steps;
  settings.threads = configuration.threads;
  settings.seed = arguments.seed;
  settings.pretokenized = arguments.pretokenized;
  for (const auto& [name, value] : {std::pair{"times", &arguments.times},
                                    {"shared", &arguments.shared},
                                    {"theta", &arguments.theta},
                                    {"branch", &arguments.branch},
                                    {"precision", &arguments.precision},
                                    {"device", &arguments.device}}) {
    if (!value->empty()) set_setting(settings, name, *value);
  }
  return settings;
}

// After the passes that are timed, on an engine of its own.
TimelineSummary write_timeline(const std::string& path, const std::shared_ptr<const Model>& model,
                               std::span<const std::string_view> sentences,
                               const Settings& settings) {
  Timeline timeline = record_timeline(model, sentences, settings);
  files::write_text_file(path, timeline.trace);
  return std::move(timeline.summary);
}

// In this process: the one that was started for it.
BenchRow measure_here(const BenchArguments& arguments, const Configuration& configuration) {
  const std::vector<std::string> texts = sentences_of(arguments);
  const std::vector<std::string_view> sentences(texts.begin(), texts.end());
  const auto begin = std::chrono::steady_clock::now();
  const auto model = Model::load(find_model(arguments.model));
  BenchRow row;
  row.load_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  BenchOptions options;
  options.settings = settings_of(*model, arguments, configuration);
  options.repeat = arguments.repeat;
  options.latency_sentences = arguments.latency;
  BenchRun run = run_bench(model, sentences, options);
  row.model = model->name();
  row.preset = configuration.preset.empty() ? model->default_preset() : configuration.preset;
  row.samples = run.settings.samples;
  row.steps = run.settings.steps;
  row.threads = run.settings.threads;
  row.precision = get_setting(run.settings, "precision");
  row.kernels = kernels_name(run.settings.device);
  row.sentences = sentences.size();
  row.pass_s = std::move(run.pass_s);
  row.cpu_s = std::move(run.cpu_s);
  row.stages = run.stages;
  row.latency = run.latency;
  row.peak_memory = run.peak_memory;
  if (!arguments.timeline.empty()) {
    row.timeline = write_timeline(arguments.timeline, model, sentences, options.settings);
  }
  if (!arguments.gold.empty()) {
    row.quality = score_results(sentences, run.results, read_gold(arguments.gold, Measure::kCarb));
  }
  return row;
}

std::vector<std::string> model_arguments(const BenchArguments& arguments,
                                         const Configuration& configuration) {
  std::vector<std::string> out = {"--model", arguments.model, "--threads",
                                  std::to_string(configuration.threads)};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.insert(out.end(), {name, value});
  };
  add("--preset", configuration.preset);
  if (configuration.samples) add("--samples", std::to_string(*configuration.samples));
  if (configuration.steps) add("--steps", std::to_string(*configuration.steps));
  add("--seed", std::to_string(arguments.seed));
  add("--times", arguments.times);
  add("--shared", arguments.shared);
  add("--theta", arguments.theta);
  add("--branch", arguments.branch);
  add("--precision", arguments.precision);
  add("--device", arguments.device);
  if (arguments.pretokenized) out.emplace_back("--pretokenized");
  return out;
}

// Median over some fresh processes that are handed one sentence.
double measure_first_triple(const BenchArguments& arguments, const Configuration& configuration,
                            const std::string& sentence) {
  std::vector<std::string> command = {"extract", "--format", "jsonl"};
  for (std::string& argument : model_arguments(arguments, configuration)) {
    command.push_back(std::move(argument));
  }
  if (!arguments.pretokenized) command.emplace_back("--lines");
  std::vector<double> times;
  for (std::int32_t start = 0; start < arguments.starts; ++start) {
    times.push_back(run_diffie(command, sentence + "\n").first_byte_s);
  }
  return percentile(std::move(times), 0.5);
}

// A process of its own, so that its memory is its own.
BenchRow measure_apart(const BenchArguments& arguments, const Configuration& configuration) {
  std::vector<std::string> command = {"bench", "--one-process"};
  for (std::string& argument : model_arguments(arguments, configuration)) {
    command.push_back(std::move(argument));
  }
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {name, value});
  };
  add("--data", arguments.data);
  add("--input", arguments.input);
  add("--gold", arguments.gold);
  add("--timeline", arguments.timeline);
  add("--limit", std::to_string(arguments.limit));
  add("--repeat", std::to_string(arguments.repeat));
  add("--latency", std::to_string(arguments.latency));
  return parse_bench_row(run_diffie(command, "").out, "diffie bench");
}

void check_timeline(const BenchArguments& arguments, std::size_t num_configurations) {
  const std::string& path = arguments.timeline;
  if (num_configurations > 1) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("--timeline is of one configuration, there are {}", num_configurations));
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is a folder, a file was wanted", path));
  }
  check_outputs({path}, {arguments.input, arguments.gold, arguments.compare, arguments.model});
}

// The wrong gold would score 0 without a word.
void check_gold(const BenchArguments& arguments, const std::vector<std::string>& texts) {
  const std::vector<std::string_view> sentences(texts.begin(), texts.end());
  if (has_gold(sentences, read_gold(arguments.gold, Measure::kCarb))) return;
  throw Error(ErrorCode::kBadInput, fmt::format("{}: none of its sentences has gold in {}",
                                                arguments.input, arguments.gold));
}

int run_bench_command(BenchArguments arguments) {
  fill_in_input(arguments);
  const std::vector<Configuration> configurations = grid(arguments);
  if (arguments.one_process) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // who is stopped while measuring leaves nothing behind
    write_stdout(to_json(measure_here(arguments, configurations.front())).dump() + "\n");
    return kExitOk;
  }
  // Before any of it is measured: what cannot be read or written is said at once.
  if (!arguments.timeline.empty()) check_timeline(arguments, configurations.size());
  std::vector<BenchRow> before;
  if (!arguments.compare.empty()) before = read_bench_rows(arguments.compare);
  const std::vector<std::string> sentences = sentences_of(arguments);
  if (!arguments.gold.empty()) check_gold(arguments, sentences);
  find_model(arguments.model);
  std::vector<BenchRow> rows;
  for (const Configuration& configuration : configurations) {
    rows.push_back(measure_apart(arguments, configuration));
    rows.back().first_triple_s = measure_first_triple(arguments, configuration, sentences.front());
  }
  const std::string input =
      arguments.input.empty() ? "sample.txt" : fs::path(arguments.input).filename().string();
  if (arguments.json) {
    write_stdout(bench_json(rows, input));
    return kExitOk;
  }
  std::string text =
      fmt::format("{}, {} sentences, {}\n", input, sentences.size(), rows.front().kernels);
  text += bench_table(rows);
  if (!before.empty()) text += "\n" + bench_comparison(rows, before);
  write_stdout(text);
  return kExitOk;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* sub = app.add_subcommand("bench", "Measure speed, latency, memory and quality");
  sub->add_option("-m,--model", arguments->model, "Model directory or name")->capture_default_str();
  sub->add_option("-p,--preset", arguments->presets, "One or several (default: the model's)")
      ->delimiter(',');
  sub->add_option("-t,--threads", arguments->threads, "One or several numbers, 0: one per core")
      ->delimiter(',');
  sub->add_option("-n,--samples", arguments->samples, "One or several numbers, not the preset's")
      ->delimiter(',');
  sub->add_option("--steps", arguments->steps, "One or several numbers, not the preset's")
      ->delimiter(',');
  sub->add_option("--times", arguments->times, "Not the preset's; none: evenly strided");
  sub->add_option("--shared", arguments->shared, "Not the preset's; none: no row is shared");
  sub->add_option("--theta", arguments->theta, "Not the preset's (anchored models)");
  sub->add_option("--branch", arguments->branch, "Not the preset's (anchored models)");
  sub->add_option("--input", arguments->input,
                  "Sentences, one a line (default: CaRB dev of --data, or a sample text)");
  sub->add_option("--gold", arguments->gold, "CaRB gold of the input: F1 and AUC of the same run");
  sub->add_option("--data", arguments->data, "Directory of the benchmark data")
      ->default_str("$DIFFIE_DATA_DIR, or as configured");
  sub->add_flag("--pretokenized", arguments->pretokenized,
                "Words of --input are separated by white space (CaRB dev: always)");
  sub->add_option("--limit", arguments->limit, "So many sentences, evenly taken; 0: all")
      ->capture_default_str();
  sub->add_option("--repeat", arguments->repeat, "Passes over the sentences; the fastest counts")
      ->capture_default_str();
  sub->add_option("--latency", arguments->latency, "Sentences timed one by one")
      ->capture_default_str();
  sub->add_option("--starts", arguments->starts, "Fresh processes timed to their first triple")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  sub->add_option("--precision", arguments->precision,
                  "int8, fp32, fp8 or fp16 (default: fp32 for paper, int8 for other presets)");
  sub->add_option("--device", arguments->device, "cpu, cuda or auto (default: cpu)");
  sub->add_option("--seed", arguments->seed, "Of the random numbers")->capture_default_str();
  sub->add_flag("--json", arguments->json, "Print JSON instead of the tables");
  sub->add_option("--compare", arguments->compare, "JSON of an earlier run: print ratios to it");
  sub->add_option("--timeline", arguments->timeline,
                  "One pass more; what each worker and the GPU did when, for ui.perfetto.dev");
  sub->add_flag("--one-process", arguments->one_process)->group("");
  return {sub, [arguments] { return run_bench_command(*arguments); }};
}

}  // namespace diffie::cli
