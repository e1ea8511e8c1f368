#include "sweep_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "outputs.h"
#include "settings/fields.h"
#include "stdout.h"
#include "sweep_output.h"
#include "sweep_sampling.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
  std::vector<std::string> pools;  // FILE or FILE:LABEL
  std::string gold;
  std::vector<std::string> measures = {"carb", "carb_1_1"};
  SweepOptions options;
  SamplingArguments sampling;
  bool statistics = false;
  std::string out;
  bool json = false;
};

// Values of an enumeration, given by their names.
template <typename Value>
void name_axis(CLI::App& app, const std::string& name, Value (*from_name)(std::string_view),
               std::vector<Value>& values) {
  const settings::Field& field = settings::field(name);
  app.add_option_function<std::vector<std::string>>(
         "--" + name,
         [&values, from_name](const std::vector<std::string>& names) {
           values.clear();
           for (const std::string& each : names) values.push_back(from_name(each));
         },
         fmt::format("{}: {}", field.help, settings::allowed(field)))
      ->delimiter(',')
      ->default_str(std::string(settings::name_of(values.front())));
}

void add_axes(CLI::App& app, SweepAxes& axes) {
  const auto axis = [&](const char* name, auto& values, const char* help) {
    app.add_option(name, values, help)->delimiter(',')->capture_default_str();
  };
  axis("-n,--samples", axes.samples, "Samples per sentence, 0: all of the pool");
  axis("-k,--top-k", axes.top_k, "Triples per sentence at most");
  axis("--tau", axes.tau, "Lenient-match threshold (lenient)");
  name_axis(app, "rule", &settings::rule_from_name, axes.rule);
  name_axis(app, "selector", &settings::selector_from_name, axes.selector);
  axis("--power", axes.power, "Of the similarity (coverage)");
  axis("--wording", axes.wording, "Similarity at which the usual wording is shown (coverage)");
  axis("--min-confidence", axes.min_confidence, "Leave out triples below this");
}

// With pools that are there already nothing would look at these.
void add_sampling(CLI::App& app, SamplingArguments& sampling, CLI::Option* pool) {
  app.add_option("-m,--model", sampling.model, "Without --pool: sample with this model");
  app.add_option("-p,--preset", sampling.preset, "Preset to sample with")->excludes(pool);
  app.add_option("--judged", sampling.judged,
                 "Candidates that the model's judge is asked about (the preset's if not given)")
      ->excludes(pool);
  app.add_option("--sentences", sampling.sentences,
                 "Sentences to sample for, one a line, words separated by white space");
  app.add_option("--steps", sampling.steps, "Denoising steps; a pool for each")
      ->delimiter(',')
      ->excludes(pool);
  app.add_option("--keep-pool", sampling.keep, "Write what was sampled to this file")
      ->excludes(pool);
}

void add_options(CLI::App& app, SweepArguments& arguments) {
  CLI::Option* pool =
      app.add_option("--pool", arguments.pools,
                     "Pool of samples, FILE or FILE:LABEL; give it again for more. Pools of one "
                     "label are averaged")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--gold", arguments.gold, "Gold file of the benchmark");
  app.add_option("--measure", arguments.measures, "Measures, as diffie score names them")
      ->delimiter(',')
      ->check(CLI::IsMember(measure_names()))
      ->capture_default_str();
  add_axes(app, arguments.options.axes);
  app.add_option("--ranker", arguments.options.ranker, "Ranker of the selector `learned`");
  app.add_flag("--tidy", arguments.options.tidy, "Tidy the candidates (setting tidy)");
  app.add_flag("--explicit-only", arguments.options.explicit_only,
               "No candidates with implied words alone as relation");
  app.add_flag("--oracle", arguments.options.oracle, "Add what the best choice would reach");
  app.add_flag("--statistics", arguments.statistics,
               "Print how the samples look; without --gold nothing else");
  app.add_option("--seed", arguments.options.seed, "Of subsets, and of sampling")
      ->capture_default_str();
  app.add_option("--repeats", arguments.options.repeats, "Subsets per n below the pool's size")
      ->capture_default_str();
  app.add_option("-t,--threads", arguments.options.threads, "Worker threads, 0: one per core");
  app.add_option("--out", arguments.out, "Write the whole table (TSV) to this file");
  app.add_flag("--json", arguments.json, "Print JSON, unrounded");
  add_sampling(app, arguments.sampling, pool);
}

// "dev.jsonl:paper" names a file and a label, unless there is a file of that whole name.
fs::path file_of_pool(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || fs::exists(argument, ignored)) return argument;
  return argument.substr(0, colon);
}

SweepPool read_pool(const std::string& argument) {
  const fs::path file = file_of_pool(argument);
  const std::size_t size = file.string().size();
  std::string label = size < argument.size() ? argument.substr(size + 1) : file.stem().string();
  return {std::move(label), file.filename().string(), read_tag_pools(file)};
}

void check_files(const SweepArguments& arguments) {
  std::vector<fs::path> outputs = kept_paths(arguments.sampling);
  outputs.emplace_back(arguments.out);
  std::vector<fs::path> inputs = {arguments.gold, arguments.options.ranker,
                                  arguments.sampling.sentences, arguments.sampling.model};
  for (const std::string& pool : arguments.pools) inputs.push_back(file_of_pool(pool));
  check_outputs(outputs, inputs);
}

std::vector<SweepPool> load_pools(const SweepArguments& arguments, Diagnostics& diagnostics) {
  const bool sampling = !arguments.sampling.model.empty() || !arguments.sampling.sentences.empty();
  if (sampling == !arguments.pools.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "either --pool, or --model and --sentences, are wanted");
  }
  std::vector<SweepPool> pools;
  for (const std::string& argument : arguments.pools) pools.push_back(read_pool(argument));
  if (!sampling) return pools;
  if (arguments.sampling.model.empty() || arguments.sampling.sentences.empty()) {
    throw Error(ErrorCode::kInvalidArgument, "--model and --sentences go together");
  }
  SamplingArguments wanted = arguments.sampling;
  const std::vector<std::int32_t>& samples = arguments.options.axes.samples;
  const std::int32_t largest = *std::max_element(samples.begin(), samples.end());
  if (largest > 0) wanted.samples = largest;
  wanted.seed = arguments.options.seed;
  wanted.threads = arguments.options.threads;
  return sample_pools(wanted, diagnostics);
}

int run(const SweepArguments& arguments) {
  arguments.options.validate();
  if (arguments.gold.empty() && !arguments.statistics && arguments.sampling.keep.empty()) {
    throw Error(ErrorCode::kInvalidArgument, "--gold, --statistics or --keep-pool is wanted");
  }
  check_files(arguments);
  std::vector<SweepGold> golds;
  for (const std::string& name : arguments.measures) {
    const Measure measure = parse_measure(name);
    if (!arguments.gold.empty()) golds.push_back({measure, read_gold(arguments.gold, measure)});
  }
  Diagnostics diagnostics;
  const std::vector<SweepPool> pools = load_pools(arguments, diagnostics);
  SweepReport report;
  if (!golds.empty()) report.table = run_sweep(pools, golds, arguments.options);
  if (arguments.statistics) {
    for (const SweepPool& pool : pools) {
      report.statistics.push_back({pool.name, pool_statistics(pool.sentences)});
    }
  }
  if (!arguments.out.empty()) files::write_text_file(arguments.out, sweep_tsv(report.table));
  write_stdout(arguments.json ? sweep_json(report) : sweep_text(report));
  return diagnostics.exit_code();
}

}  // namespace

Command add_sweep_command(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command =
      app.add_subcommand("sweep", "Score many settings of selection from one pool of samples");
  add_options(*command, *arguments);
  return {command, [arguments] { return run(*arguments); }};
}

}  // namespace diffie::cli
