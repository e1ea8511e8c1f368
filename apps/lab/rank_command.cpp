#include "rank_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "diffie/lab/rank.h"
#include "files/atomic_file.h"
#include "outputs.h"
#include "settings/fields.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct TrainArguments {
  std::vector<std::string> pools;
  std::string gold;
  RankOptions options;
  std::string out;
  bool json = false;
};

// LSOIE-examples below $DIFFIE_DATA_DIR, or where the build looked for it.
std::string default_gold() {
  const char* set = std::getenv("DIFFIE_DATA_DIR");
  const fs::path dir = set != nullptr && *set != '\0' ? set : DIFFIE_DATA_DIR;
  return (dir / "lsoie-examples" / "lsoie-g-1.0.tsv").string();
}

void add_train_options(CLI::App& app, TrainArguments& arguments) {
  app.add_option("--pools", arguments.pools,
                 "Pools of samples by models that have not seen the sentences")
      ->required();
  app.add_option("--gold", arguments.gold, "Sentences with triples (LSOIE-examples if not given)");
  app.add_option("--out", arguments.out, "Write the ranker to this file")->required();
  app.add_flag("--json", arguments.json, "Print JSON, unrounded");
  RankOptions& options = arguments.options;
  app.add_option("-n,--samples", options.samples,
                 "Samples per sentence to train for, 0: all of the pool; pools with fewer pass")
      ->delimiter(',')
      ->capture_default_str();
  const auto option = [&](const char* name, auto& value, const char* help) {
    app.add_option(name, value, help)->capture_default_str();
  };
  app.add_option_function<std::string>(
         "--rule", [&](const std::string& name) { options.rule = settings::rule_from_name(name); },
         settings::allowed(settings::field("rule")))
      ->default_str("all-runs");
  app.add_flag("--tidy", options.tidy, "Tidy the candidates, as presets with the setting tidy do");
  option("--trees", options.trees, "Trees of each of the two models");
  option("--depth", options.depth, "Of a tree");
  option("--rate", options.rate, "Part of a tree's values that is kept");
  option("--exactness", options.exactness, "Value of an exact wording when one is chosen");
  option("--exact-bonus", options.exact_bonus, "Value of an exact wording when triples are ranked");
  option("--recall-limit", options.recall_limit, "Credit for recall when triples are ranked");
  option("--right-f1", options.right_f1,
         "Lenient F1 with a gold triple from which on a triple is right");
  option("--schema", options.schema, "Of the features; 0: 2 where a pool is judged, else 1");
  option("--walk", options.walk, "How facts are found: coverage or judged");
  option("--folds", options.folds, "Folds for the figures on sentences not trained on");
  option("--seed", options.seed, "Of subsets, folds and trees");
  app.add_option("-t,--threads", options.threads, "Worker threads, 0: one per core");
}

std::string rank_json(const RankResult& result) {
  ordered_json value = {{"sentences", result.num_sentences},
                        {"facts", result.num_facts},
                        {"wordings", result.num_wordings},
                        {"schema", result.schema},
                        {"rows", ordered_json::array()}};
  for (const RankRow& row : result.rows) {
    value["rows"].push_back({{"pool", row.pool},
                             {"samples", row.samples},
                             {"selector", row.selector},
                             {"carb_f1", row.carb_f1},
                             {"carb_auc", row.carb_auc},
                             {"carb_1_1_f1", row.carb_1_1_f1},
                             {"strict_f1", row.strict_f1},
                             {"strict_threshold", row.strict_threshold}});
  }
  ordered_json& reliability = value["reliability"];
  reliability = {{"calibration_error", result.reliability.error}, {"bins", ordered_json::array()}};
  for (const ReliabilityBin& bin : result.reliability.bins) {
    reliability["bins"].push_back({{"low", bin.low},
                                   {"high", bin.high},
                                   {"triples", bin.count},
                                   {"confidence", bin.confidence},
                                   {"right", bin.right}});
  }
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

int train(const TrainArguments& arguments) {
  arguments.options.validate();
  const std::string gold_file = arguments.gold.empty() ? default_gold() : arguments.gold;
  std::vector<fs::path> inputs(arguments.pools.begin(), arguments.pools.end());
  inputs.emplace_back(gold_file);
  check_outputs({arguments.out}, inputs);
  const std::vector<data::Row> gold = data::read_rows(gold_file);
  std::vector<RankPool> pools;
  for (const std::string& file : arguments.pools)
    pools.push_back({fs::path(file).stem().string(), read_tag_pools(file)});
  const RankResult result = train_ranker(pools, gold, arguments.options);
  files::write_text_file(arguments.out, result.ranker);
  write_stdout(arguments.json ? rank_json(result) : rank_text(result));
  return kExitOk;
}

struct AddArguments {
  std::string model;
  std::string ranker;
  LearnedPresets presets;
};

void add_add_options(CLI::App& app, AddArguments& arguments) {
  app.add_option("model", arguments.model, "Directory of the model")->required();
  app.add_option("ranker", arguments.ranker, "What `diffie rank train` has written")->required();
  app.add_option("--presets", arguments.presets.names, "Presets that use it from now on")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("-k,--top-k", arguments.presets.top_k, "Of these presets")->capture_default_str();
  app.add_option("--min-confidence", arguments.presets.min_confidence, "Of these presets")
      ->capture_default_str();
  app.add_option("--judged", arguments.presets.judged, "Of these presets")->capture_default_str();
}

}  // namespace

Command add_rank_command(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  auto adding = std::make_shared<AddArguments>();
  CLI::App* command = app.add_subcommand("rank", "The ranker of the learned selector");
  command->require_subcommand(1);
  CLI::App* sub = command->add_subcommand("train", "Train one from pools and gold triples");
  add_train_options(*sub, *arguments);
  CLI::App* add = command->add_subcommand("add", "Put one into a model directory");
  add_add_options(*add, *adding);
  return {command, [arguments, adding, add] {
            if (!add->parsed()) return train(*arguments);
            install_ranker(adding->model, adding->ranker, adding->presets);
            return kExitOk;
          }};
}

}  // namespace diffie::cli
