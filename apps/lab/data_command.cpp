#include "data_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data_dir.h"
#include "diffie/error.h"
#include "diffie/lab/data.h"
#include "diffie/lab/treebank.h"
#include "files/atomic_file.h"
#include "locate.h"
#include "outputs.h"
#include "stdout.h"
#include "usage.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;

struct SourceOptions {
  std::string file;
  std::string data_dir;
  std::string order;
  std::string aligner = "recover";
  bool implied = false;
  std::vector<std::string> implied_words = data::implied_words();

  data::AlignOptions align_options() const {
    return {aligner == "paper" ? data::AlignerKind::kPaper : data::AlignerKind::kRecover,
            implied ? implied_words : std::vector<std::string>{}};
  }
};

void add_file_options(CLI::App& command, SourceOptions& options) {
  options.data_dir = default_data_dir();
  command.add_option("file", options.file,
                     "Sentences with triples: TSV or JSON lines (LSOIE-examples if not given)");
  command.add_option("--data", options.data_dir, "Directory of the benchmark data")
      ->default_str("$DIFFIE_DATA_DIR, or as configured");
  command.add_option("--order", options.order,
                     "Row numbers, one a line (subset-order.txt beside the file, if there)");
}

void add_source_options(CLI::App& command, SourceOptions& options) {
  add_file_options(command, options);
  command.add_option("--aligner", options.aligner, "How triples are placed in their sentences")
      ->check(CLI::IsMember({"paper", "recover"}))
      ->capture_default_str();
  command.add_flag("--implied", options.implied,
                   "Append words that relations have and sentences lack as pseudo-words");
  command.add_option("--implied-words", options.implied_words, "Which, with --implied")
      ->needs("--implied")
      ->delimiter(',')
      ->default_str(fmt::format("{}", fmt::join(options.implied_words, ",")));
}

fs::path source_path(const SourceOptions& options) {
  if (!options.file.empty()) return options.file;
  return fs::path(options.data_dir) / "lsoie-examples" / "lsoie-g-1.0.tsv";
}

// None: the rows stand as in their file.
fs::path order_path(const SourceOptions& options) {
  if (!options.order.empty()) return options.order;
  const fs::path beside = source_path(options).parent_path() / "subset-order.txt";
  return fs::exists(beside) ? beside : fs::path();
}

std::vector<fs::path> inputs_of(const SourceOptions& options) {
  return {source_path(options), order_path(options)};
}

// All rows, in the order of the order file.
std::vector<data::Row> load_rows(const SourceOptions& options) {
  const fs::path source = source_path(options);
  std::vector<data::Row> rows = data::read_rows(source);
  if (rows.empty()) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: no sentences in it", source.string()));
  }
  const fs::path order = order_path(options);
  if (order.empty()) return rows;
  const std::vector<std::size_t> numbers = data::read_row_order(order, rows.size());
  return data::take_rows(std::move(rows), numbers, 0);
}

struct AlignCommandOptions {
  SourceOptions source;
  std::vector<std::size_t> rows;
  std::string out;
};

// One line per triple: row, triple, tags (empty when not aligned), relaxations.
void write_alignments(const fs::path& path, const std::vector<data::Row>& rows,
                      const data::Aligner& aligner) {
  files::AtomicFile file(path);
  file.write("row\ttriple\ttags\trelaxations\n");
  for (const data::Row& row : rows) {
    const auto alignments = aligner.align(row);
    for (std::size_t i = 0; i < alignments.size(); ++i) {
      const auto& found = alignments[i];
      file.write(fmt::format("{}\t{}\t{}\t{}\n", row.number, i, found ? found->tags : "",
                             found ? data::name_of_mask(found->relaxations) : "none"));
    }
  }
  file.commit();
}

int run_align(const AlignCommandOptions& options) {
  check_outputs({options.out}, inputs_of(options.source));
  const std::vector<data::Row> all = load_rows(options.source);
  const data::Aligner aligner(options.source.align_options());
  const std::vector<std::size_t> sizes =
      options.rows.empty() ? std::vector<std::size_t>{all.size()} : options.rows;
  for (const std::size_t size : sizes) {
    const std::vector<data::Row> rows = data::take_rows(all, {}, size);
    const data::AlignCounts counts = data::count_aligned(rows, aligner);
    nlohmann::ordered_json line;
    line["sentences"] = counts.sentences;
    line["triplets"] = counts.triplets;
    line["kept"] = counts.kept;
    write_stdout(line.dump() + "\n");
    if (!options.out.empty() && size == sizes.back()) write_alignments(options.out, rows, aligner);
  }
  return kExitOk;
}

CLI::App* add_align(CLI::App& data_app, const std::shared_ptr<AlignCommandOptions>& options) {
  CLI::App* command = data_app.add_subcommand("align", "Count the triples that can be aligned");
  add_source_options(*command, options->source);
  command->add_option("--rows", options->rows, "First N rows; several sizes: 50,250 (all rows)")
      ->check(at_least_one())
      ->delimiter(',');
  command->add_option("--out", options->out, "Write the tags of every triple to this TSV file");
  return command;
}

// CaRB dev among the benchmark data, where it is.
fs::path exclude_path(const std::string& exclude, const std::string& data_dir) {
  if (exclude == "none") return {};
  if (!exclude.empty()) return exclude;
  const fs::path dev = fs::path(data_dir) / "carb" / "dev" / "dev.txt";
  return fs::exists(dev) ? dev : fs::path();
}

fs::path vocab_path(const std::string& vocab) {
  return vocab.empty() ? find_share_file("bert-base-uncased/vocab.txt") : fs::path(vocab);
}

// What build and distil share.
struct OutputOptions {
  std::string out;
  std::string vocab;
  std::string exclude;
};

void add_output_options(CLI::App& command, OutputOptions& options) {
  command.add_option("--out", options.out, "The training file")->required();
  command.add_option("--vocab", options.vocab, "Vocabulary of the encoder")
      ->default_str("the shipped bert-base-uncased");
  command.add_option("--exclude", options.exclude,
                     "Sentences to leave out, one a line; or none (CaRB dev, if there)");
}

struct BuildCommandOptions {
  SourceOptions source;
  OutputOptions output;
  std::size_t rows = 0;
  std::vector<std::string> weights;
  data::BuildOptions build;
};

// NAME=FACTOR with the name of a relaxation.
void set_weight(data::BuildOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  float factor = 0;
  const bool is_number =
      equals != std::string::npos && CLI::detail::lexical_cast(text.substr(equals + 1), factor);
  for (std::size_t i = 0; i < data::kRelaxations.size(); ++i) {
    if (!is_number || name != data::name_of(data::kRelaxations[i])) continue;
    options.weights[i] = factor;
    return;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--weight {}: wanted a relaxation and a factor, as reordered=0.5", text));
}

int run_build(const BuildCommandOptions& options) {
  data::BuildOptions build = options.build;
  build.align = options.source.align_options();
  build.source = source_path(options.source);
  build.vocab = vocab_path(options.output.vocab);
  build.exclude = exclude_path(options.output.exclude, options.source.data_dir);
  for (const std::string& weight : options.weights) set_weight(build, weight);
  std::vector<fs::path> inputs = inputs_of(options.source);
  inputs.insert(inputs.end(), {build.vocab, build.exclude});
  check_outputs({options.output.out, build.sentences}, inputs);
  const std::vector<data::Row> rows = data::take_rows(load_rows(options.source), {}, options.rows);
  const data::BuildCounts counts = data::build_training_file(rows, build, options.output.out);
  nlohmann::ordered_json line;
  line["sentences"] = counts.sentences;
  line["triplets"] = counts.triplets;
  line["excluded_sentences"] = counts.excluded_sentences;
  line["other_fold_sentences"] = counts.other_fold_sentences;
  line["long_sentences"] = counts.long_sentences;
  line["aligned"] = counts.aligned;
  line["duplicates"] = counts.duplicates;
  line["unmatched"] = counts.unmatched;
  line["kept_sentences"] = counts.kept_sentences;
  line["instances"] = counts.instances;
  write_stdout(line.dump() + "\n");
  return kExitOk;
}

CLI::App* add_build(CLI::App& data_app, const std::shared_ptr<BuildCommandOptions>& options) {
  CLI::App* command = data_app.add_subcommand("build", "Write a training file");
  add_source_options(*command, options->source);
  command->add_option("--rows", options->rows, "First N rows (all rows)")->check(at_least_one());
  add_output_options(*command, options->output);
  command->add_option("--seed", options->build.seed, "Decides the folds")->capture_default_str();
  command->add_option("--folds", options->build.folds, "Split the sentences into this many folds");
  command->add_option("--fold", options->build.fold, "The fold to leave out, from 0");
  command->add_flag("--held-out", options->build.held_out, "Keep that fold instead");
  command->add_option("--sentences", options->build.sentences,
                      "Write the sentences too, one a line, to sample pools for them");
  command->add_flag("--keep-duplicates", options->build.keep_duplicates,
                    "Keep instances with the same sentence and tags");
  command->add_option("--weight", options->weights,
                      "Factor of a relaxation in an instance's weight, as reordered=0.5");
  return command;
}

struct DistilCommandOptions {
  std::string data_dir = default_data_dir();
  OutputOptions output;
  std::vector<std::string> pools;
  std::string add;
  data::DistilOptions distil;
};

int run_distil(const DistilCommandOptions& options) {
  data::DistilOptions distil = options.distil;
  distil.pools.assign(options.pools.begin(), options.pools.end());
  distil.add = options.add;
  distil.vocab = vocab_path(options.output.vocab);
  distil.exclude = exclude_path(options.output.exclude, options.data_dir);
  std::vector<fs::path> inputs = distil.pools;
  inputs.insert(inputs.end(), {distil.add, distil.vocab, distil.exclude, distil.gold});
  check_outputs({options.output.out}, inputs);
  const data::DistilCounts counts = data::distil_training_file(distil, options.output.out);
  nlohmann::ordered_json line;
  line["sentences"] = counts.sentences;
  line["excluded_sentences"] = counts.excluded_sentences;
  line["long_sentences"] = counts.long_sentences;
  line["unmatched"] = counts.unmatched;
  line["empty_sentences"] = counts.empty_sentences;
  line["samples"] = counts.samples;
  line["kept_samples"] = counts.kept_samples;
  line["kept_sentences"] = counts.kept_sentences;
  line["instances"] = counts.instances;
  line["added_sentences"] = counts.added_sentences;
  line["added_instances"] = counts.added_instances;
  write_stdout(line.dump() + "\n");
  return kExitOk;
}

CLI::App* add_distil(CLI::App& data_app, const std::shared_ptr<DistilCommandOptions>& options) {
  CLI::App* command =
      data_app.add_subcommand("distil", "Write a training file drawn from pools of a model");
  data::DistilOptions& distil = options->distil;
  command->add_option("--pool", options->pools, "Pools, as JSON lines; may be given several times")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--add", options->add, "A training file to put in front");
  add_output_options(*command, options->output);
  command->add_option("--data", options->data_dir, "Directory of the benchmark data")
      ->default_str("$DIFFIE_DATA_DIR, or as configured");
  command
      ->add_option("--draws", distil.draws,
                   "Tag sequences drawn for each sentence of a file; 0: all, weighted")
      ->capture_default_str();
  command
      ->add_option("--max-per-sentence", distil.max_per_sentence,
                   "Draw among this many tag sequences of a pool, the most frequent")
      ->capture_default_str();
  command->add_option("--gold", distil.gold, "Rows whose triples judge those of the pools");
  command->add_option("--min-count", distil.min_count, "Draw among those sampled this often")
      ->capture_default_str();
  command->add_option("--weight", distil.weight, "Of a drawn sequence; a gold triple has 1")
      ->capture_default_str();
  command->add_option("--seed", distil.seed, "Decides what is drawn")->capture_default_str();
  return command;
}

struct TreebankCommandOptions {
  std::string data_dir = default_data_dir();
  std::vector<std::string> trees;
  std::vector<std::string> rules;
  std::string out;
  std::string sentences;
  std::string exclude;
};

treebank::Rule rule_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const treebank::Rule rule : treebank::kRules) {
    if (name == treebank::name_of(rule)) return rule;
    names.push_back(treebank::name_of(rule));
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--rules {}: wanted some of {}", name, fmt::join(names, ",")));
}

int run_treebank(const TreebankCommandOptions& options) {
  treebank::Options rows;
  rows.trees.assign(options.trees.begin(), options.trees.end());
  rows.exclude = exclude_path(options.exclude, options.data_dir);
  rows.sentences = options.sentences;
  if (!options.rules.empty()) rows.rules.clear();
  for (const std::string& name : options.rules) rows.rules.push_back(rule_named(name));
  std::vector<fs::path> inputs = rows.trees;
  inputs.push_back(rows.exclude);
  check_outputs({options.out, options.sentences}, inputs);
  const treebank::Counts counts = treebank::write_rows(rows, options.out);
  nlohmann::ordered_json line;
  line["sentences"] = counts.sentences;
  line["excluded_sentences"] = counts.excluded_sentences;
  line["other_lengths"] = counts.other_lengths;
  line["repeated"] = counts.repeated;
  line["rows"] = counts.rows;
  for (std::size_t i = 0; i < treebank::kRules.size(); ++i) {
    line[std::string(treebank::name_of(treebank::kRules[i]))] = counts.triples[i];
  }
  write_stdout(line.dump() + "\n");
  return kExitOk;
}

CLI::App* add_treebank(CLI::App& data_app, const std::shared_ptr<TreebankCommandOptions>& options) {
  CLI::App* command =
      data_app.add_subcommand("treebank", "Write triples that rules read off dependency trees");
  command->add_option("trees", options->trees, "CoNLL-U files")->required();
  command->add_option("--rules", options->rules, "Which rules: appositions,relative,... (all)")
      ->delimiter(',');
  command->add_option("--out", options->out, "JSON lines for data build");
  command->add_option("--sentences", options->sentences,
                      "Write all sentences of 5 to 90 words, one a line");
  command->add_option("--exclude", options->exclude,
                      "Sentences to leave out, one a line; or none (CaRB dev, if there)");
  command->add_option("--data", options->data_dir, "Directory of the benchmark data")
      ->default_str("$DIFFIE_DATA_DIR, or as configured");
  return command;
}

struct ReportCommandOptions {
  SourceOptions source;
  std::size_t rows = 0;
  std::string out;
  data::ReportOptions report;
};

int run_report(const ReportCommandOptions& options) {
  data::ReportOptions report = options.report;
  report.source = source_path(options.source);
  check_outputs({options.out}, inputs_of(options.source));
  const std::vector<data::Row> rows = data::take_rows(load_rows(options.source), {}, options.rows);
  data::write_report(rows, report, options.out);
  return kExitOk;
}

CLI::App* add_report(CLI::App& data_app, const std::shared_ptr<ReportCommandOptions>& options) {
  CLI::App* command = data_app.add_subcommand("report", "Audit both aligners on an HTML page");
  add_file_options(*command, options->source);
  command->add_option("--rows", options->rows, "First N rows (all rows)")->check(at_least_one());
  command->add_option("--out", options->out, "The HTML file")->required();
  command->add_option("--examples", options->report.examples, "Examples of each category")
      ->capture_default_str();
  command->add_option("--seed", options->report.seed, "Decides the examples")
      ->capture_default_str();
  return command;
}

}  // namespace

Command add_data_command(CLI::App& app) {
  CLI::App* data_app =
      app.add_subcommand("data", "Training data: align, build, distil, treebank, report");
  data_app->require_subcommand(1);
  auto align_options = std::make_shared<AlignCommandOptions>();
  CLI::App* align = add_align(*data_app, align_options);
  auto build_options = std::make_shared<BuildCommandOptions>();
  CLI::App* build = add_build(*data_app, build_options);
  auto distil_options = std::make_shared<DistilCommandOptions>();
  CLI::App* distil = add_distil(*data_app, distil_options);
  auto treebank_options = std::make_shared<TreebankCommandOptions>();
  CLI::App* treebank = add_treebank(*data_app, treebank_options);
  auto report_options = std::make_shared<ReportCommandOptions>();
  CLI::App* report = add_report(*data_app, report_options);
  return {data_app, [=] {
            if (align->parsed()) return run_align(*align_options);
            if (build->parsed()) return run_build(*build_options);
            if (distil->parsed()) return run_distil(*distil_options);
            if (treebank->parsed()) return run_treebank(*treebank_options);
            if (report->parsed()) return run_report(*report_options);
            return kExitUsage;
          }};
}

}  // namespace diffie::cli
