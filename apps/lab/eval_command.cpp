#include "eval_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include "data_dir.h"
#include "diffie/error.h"
#include "diffie/lab/bench.h"
#include "diffie/lab/model_files.h"
#include "diffie/model.h"
#include "eval_output.h"
#include "messages.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;

struct EvalArguments {
  std::string model = "small";
  std::string data = default_data_dir();
  std::vector<std::string> presets;  // none: all of the model's
  std::int32_t threads = 0;
  std::uint64_t seed = 0;
  std::string precision;
  std::string device;
  bool all = false;
  bool full = false;
  bool json = false;
  bool record = false;
};

// A preset with more tag sequences through steps than this is scored on a few sentences, the first
// ones, unless --full: `paper` takes seconds for one.
constexpr std::size_t kSlowRows = 4096;
constexpr std::size_t kSlowSentences = 40;

// The work of the test that repeats a part of the evaluation: tag sequences through a step.
constexpr std::size_t kCheckRows = 50'000;
constexpr std::size_t kCheckSentences = 8;        // at least
constexpr std::size_t kMostCheckSentences = 130;  // an anchored model draws no samples to count by

std::size_t rows_asked_for(const Settings& settings) {
  return static_cast<std::size_t>(settings.samples) * static_cast<std::size_t>(settings.steps);
}

std::size_t check_sentences(const Settings& settings, std::size_t all) {
  const std::size_t affordable = kCheckRows / rows_asked_for(settings);
  return std::min(std::clamp(affordable, kCheckSentences, kMostCheckSentences), all);
}

struct EvalData {
  EvaluationSet carb;
  std::optional<EvaluationSet> benchie;
};

std::vector<std::string_view> views(const std::vector<std::string>& sentences) {
  return {sentences.begin(), sentences.end()};
}

void score_list(std::span<const std::string_view> sentences,
                std::span<const SentenceResult> results, const GoldStandard& gold,
                EvaluatedList& out) {
  for (std::size_t i = 0; i < kDevParts.size(); ++i) {
    out.parts[i] = score_part(kDevParts[i], sentences, results, gold);
  }
}

// Everything is extracted once; min_confidence does no more than cut the list.
EvaluatedPreset evaluate(const std::shared_ptr<const Model>& model, const std::string& preset,
                         const EvalArguments& arguments, const EvalData& data) {
  const std::vector<std::string_view> carb_sentences = views(data.carb.sentences);
  std::span<const std::string_view> sentences = carb_sentences;
  BenchOptions options;
  options.settings = model->settings(preset);
  options.settings.threads = arguments.threads;
  options.settings.seed = arguments.seed;
  options.settings.pretokenized = true;
  if (!arguments.precision.empty()) set_setting(options.settings, "precision", arguments.precision);
  if (!arguments.device.empty()) set_setting(options.settings, "device", arguments.device);
  const double min_confidence = options.settings.min_confidence;
  options.settings.min_confidence = 0;
  options.repeat = 1;
  options.latency_sentences = 0;
  const bool slow = !arguments.full && rows_asked_for(options.settings) > kSlowRows;
  const std::size_t limit = slow ? kSlowSentences : std::numeric_limits<std::size_t>::max();
  sentences = sentences.first(std::min(limit, sentences.size()));
  const BenchRun run = run_bench(model, sentences, options);
  EvaluatedPreset out;
  out.name = preset;
  out.samples = run.settings.samples;
  out.steps = run.settings.steps;
  out.sentences_per_s = static_cast<double>(sentences.size()) / run.best_s();
  out.min_confidence = min_confidence;
  const std::vector<SentenceResult> own = cut(run.results, min_confidence);
  score_list(sentences, own, data.carb.gold, out.own);
  if (arguments.all) score_list(sentences, run.results, data.carb.gold, out.everything.emplace());
  const std::size_t count = check_sentences(run.settings, sentences.size());
  out.check = score_results(sentences.first(count), std::span(own).first(count), data.carb.gold);
  if (data.benchie) {
    const std::vector<std::string_view> all = views(data.benchie->sentences);
    const auto texts = std::span(all).first(std::min(all.size(), limit));
    const auto results = Extractor(model, options.settings).extract(texts);
    out.benchie = score_benchie(texts, results, data.benchie->gold, min_confidence);
  }
  return out;
}

// The order in which the presets of a model are worked through: the quick ones first.
std::vector<std::string> presets_of(const std::shared_ptr<const Model>& model) {
  // Anchored presets draw no samples: a lower theta is more work.
  std::vector<std::tuple<std::size_t, double, std::string>> by_work;
  for (const std::string& name : model->preset_names()) {
    const Settings settings = model->settings(name);
    by_work.emplace_back(rows_asked_for(settings), -settings.theta, name);
  }
  std::sort(by_work.begin(), by_work.end());
  std::vector<std::string> names;
  for (auto& [work, theta, name] : by_work) names.push_back(std::move(name));
  return names;
}

void record(const fs::path& dir, const Evaluation& evaluation,
            const std::shared_ptr<const Model>& model) {
  if (evaluation.presets.size() != model->preset_names().size()) {
    throw Error(ErrorCode::kInvalidArgument, "--record wants all presets, leave out --presets");
  }
  write_model_document(dir, "measured.json", measured_json(evaluation));
}

int run_eval(const EvalArguments& arguments) {
  const fs::path dir = find_model(arguments.model);
  const EvalData data = {read_carb_dev(arguments.data), read_benchie_dev(arguments.data)};
  const auto model = Model::load(dir);
  Evaluation evaluation;
  evaluation.model = model->name();
  std::vector<std::string> presets = arguments.presets;
  if (presets.empty()) presets = presets_of(model);
  for (const std::string& preset : presets) {
    if (!arguments.json) tell(fmt::format("{}, preset {} ...", model->name(), preset));
    evaluation.presets.push_back(evaluate(model, preset, arguments, data));
  }
  Settings settings = model->settings();
  settings.threads = arguments.threads;
  if (!arguments.device.empty()) set_setting(settings, "device", arguments.device);
  const Settings used = Extractor(model, settings).settings();
  evaluation.threads = used.threads;
  evaluation.kernels = kernels_name(used.device);
  write_stdout(arguments.json ? eval_json(evaluation) : eval_table(evaluation));
  if (arguments.record) record(dir, evaluation, model);
  return kExitOk;
}

}  // namespace

Command add_eval_command(CLI::App& app) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* sub =
      app.add_subcommand("eval", "Score a model's presets on CaRB dev and BenchIE 1 to 60");
  sub->add_option("-m,--model", arguments->model, "Model directory or name")->capture_default_str();
  sub->add_option("--data", arguments->data, "Directory of the benchmark data")
      ->default_str("$DIFFIE_DATA_DIR, or as configured");
  sub->add_option("-p,--presets", arguments->presets, "Some presets only")->delimiter(',');
  sub->add_option("-t,--threads", arguments->threads, "Worker threads, 0: one per core");
  sub->add_option("--precision", arguments->precision,
                  "int8, fp32, fp8 or fp16 (default: fp32 for paper, int8 for other presets)");
  sub->add_option("--device", arguments->device, "cpu, cuda or auto (default: cpu)");
  sub->add_option("--seed", arguments->seed, "Of the random numbers")->capture_default_str();
  sub->add_flag("--all", arguments->all, "Score everything found (min_confidence 0) as well");
  sub->add_flag("--full", arguments->full, "All sentences for slow presets (paper) too");
  sub->add_flag("--json", arguments->json, "Print JSON, unrounded");
  sub->add_flag("--record", arguments->record,
                "Write the scores into the model directory (measured.json)");
  return {sub, [arguments] { return run_eval(*arguments); }};
}

}  // namespace diffie::cli
