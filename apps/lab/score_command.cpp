#include "score_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "diffie/error.h"
#include "messages.h"
#include "score_output.h"
#include "stdout.h"
#include "usage.h"

namespace diffie::cli {
namespace {

struct ScoreArguments {
  std::string measure;
  std::string gold;
  std::vector<std::string> predictions;
  std::vector<std::string> formats = {"auto"};  // one for all predictions, or one for each
  ScoreReadOptions reading;
  bool json = false;
  std::size_t explain = 0;  // from 1; 0: no explanation
  std::optional<double> threshold;
  std::int32_t bootstrap = 0;  // 0: no intervals
  std::vector<std::string> compare;
  std::optional<std::uint64_t> seed;
};

void add_options(CLI::App& app, ScoreArguments& arguments) {
  app.add_option("measure", arguments.measure)
      ->required()
      ->check(CLI::IsMember(measure_names()))
      ->type_name("MEASURE");
  app.add_option("--gold", arguments.gold, "Gold file of the benchmark")->required();
  app.add_option("--pred", arguments.predictions, "Output of a system; give it again for more")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--pred-format", arguments.formats,
                 "Form of the outputs; once for all of them or once for each")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(CLI::IsMember(prediction_format_names()))
      ->capture_default_str();
  app.add_option("--extractor", arguments.reading.extractor,
                 "Score only this extractor of a WiRe57 file");
  app.add_flag("--skip-bad", arguments.reading.skip_bad,
               "Leave out lines that cannot be read; they are listed and the exit code is 1");
  app.add_flag("--json", arguments.json, "Print JSON, unrounded");
  app.add_option("--explain", arguments.explain,
                 "Show which prediction met which gold tuple in the N-th gold sentence")
      ->check(at_least_one());
  app.add_option("--threshold", arguments.threshold,
                 "With --explain: leave out predictions under this confidence")
      ->needs("--explain");
  app.add_option("--bootstrap", arguments.bootstrap,
                 "95 % intervals from this many samples of sentences")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--compare", arguments.compare,
                 "Paired tests between two systems, by name or file")
      ->expected(2);
  app.add_option("--seed", arguments.seed, "Seed of the samples")->default_str("0");
}

// What was read, and where from.
struct Loaded {
  GoldStandard gold;
  std::vector<SystemOutput> outputs;
  std::vector<std::string> paths;  // of the outputs
  bool had_bad_input = false;
};

bool warn(const std::string& path, const std::vector<BadLine>& skipped) {
  for (const BadLine& bad : skipped) {
    const std::string place = bad.line > 0 ? fmt::format("line {}: ", bad.line) : "";
    tell(fmt::format("{}: {}{} (skipped)", path, place, bad.reason));
  }
  return !skipped.empty();
}

void load_output(Loaded& loaded, const std::string& path, Measure measure,
                 const ScoreReadOptions& options) {
  std::vector<SystemOutput> outputs = read_predictions(path, measure, options);
  if (!outputs.empty()) loaded.had_bad_input |= warn(path, outputs[0].skipped);
  for (SystemOutput& output : outputs) {
    const bool taken =
        std::any_of(loaded.outputs.begin(), loaded.outputs.end(),
                    [&](const SystemOutput& other) { return other.name == output.name; });
    if (taken) output.name = outputs.size() == 1 ? path : path + ":" + output.name;
    loaded.outputs.push_back(std::move(output));
    loaded.paths.push_back(path);
  }
}

Loaded load(const ScoreArguments& arguments, Measure measure) {
  Loaded loaded;
  loaded.gold = read_gold(arguments.gold, measure, arguments.reading.skip_bad);
  loaded.had_bad_input = warn(arguments.gold, loaded.gold.skipped);
  const std::size_t num_formats = arguments.formats.size();
  if (num_formats != 1 && num_formats != arguments.predictions.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} times --pred-format for {} times --pred; one or as many are wanted",
                            num_formats, arguments.predictions.size()));
  }
  for (std::size_t i = 0; i < arguments.predictions.size(); ++i) {
    ScoreReadOptions reading = arguments.reading;
    reading.format = arguments.formats[num_formats == 1 ? 0 : i];
    load_output(loaded, arguments.predictions[i], measure, reading);
  }
  if (loaded.outputs.empty()) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: no extraction in it", arguments.predictions[0]));
  }
  return loaded;
}

std::size_t find_system(const Loaded& loaded, const std::string& name) {
  for (std::size_t i = 0; i < loaded.outputs.size(); ++i) {
    if (loaded.outputs[i].name == name || loaded.paths[i] == name) return i;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--compare {}: no system or --pred file of that name", name));
}

// Scores of the systems, without those of whom no prediction is on a gold sentence: their precision
// would be 100 % of nothing. They are named and go from what was loaded.
std::vector<Score> score_matched(Loaded& loaded, const std::string& gold, Measure measure) {
  std::vector<Score> scores;
  for (std::size_t i = 0; i < loaded.outputs.size();) {
    Score score = score_system(loaded.gold, loaded.outputs[i], measure);
    if (score.num_scored > 0) {
      scores.push_back(std::move(score));
      ++i;
      continue;
    }
    tell(fmt::format("{}: none of its {} predictions is on a sentence of {}", loaded.paths[i],
                     score.num_predicted, gold));
    loaded.had_bad_input = true;
    loaded.outputs.erase(loaded.outputs.begin() + static_cast<std::ptrdiff_t>(i));
    loaded.paths.erase(loaded.paths.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return scores;
}

ScoreReport make_report(const ScoreArguments& arguments, const Loaded& loaded,
                        std::vector<Score> scores) {
  ScoreReport report;
  if (arguments.bootstrap > 0) report.resampling.replicates = arguments.bootstrap;
  report.resampling.seed = arguments.seed.value_or(0);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ScoredSystem system{std::move(scores[i]), std::nullopt, std::nullopt};
    if (arguments.bootstrap > 0) system.intervals = bootstrap(system.score, report.resampling);
    if (arguments.explain > 0) {
      system.explanation = explain(loaded.gold, loaded.outputs[i], system.score.measure,
                                   arguments.explain - 1, arguments.threshold);
    }
    report.systems.push_back(std::move(system));
  }
  if (arguments.compare.size() == 2) {
    const Score& a = report.systems[find_system(loaded, arguments.compare[0])].score;
    const Score& b = report.systems[find_system(loaded, arguments.compare[1])].score;
    report.comparison = {a.system, b.system, compare(a, b, report.resampling)};
  }
  return report;
}

int run(const ScoreArguments& arguments) {
  if (arguments.seed && arguments.bootstrap == 0 && arguments.compare.empty()) {
    throw Error(ErrorCode::kInvalidArgument, "--seed requires --bootstrap or --compare");
  }
  const Measure measure = parse_measure(arguments.measure);
  Loaded loaded = load(arguments, measure);
  std::vector<Score> scores = score_matched(loaded, arguments.gold, measure);
  if (scores.empty()) return kExitUsage;
  const ScoreReport report = make_report(arguments, loaded, std::move(scores));
  write_stdout(arguments.json ? score_json(report) : score_table(report));
  return loaded.had_bad_input ? kExitBadInput : kExitOk;
}

}  // namespace

Command add_score_command(CLI::App& app) {
  auto arguments = std::make_shared<ScoreArguments>();
  CLI::App* command =
      app.add_subcommand("score", "Score extractions by CaRB, BenchIE, WiRe57 and their variants");
  add_options(*command, *arguments);
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace diffie::cli
