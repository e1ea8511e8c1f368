#include "tokenize_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "diagnostics.h"
#include "diffie/error.h"
#include "diffie/text.h"
#include "input.h"
#include "locate.h"
#include "stdout.h"

namespace diffie::cli {
namespace {

struct TokenizeOptions {
  std::vector<std::string> files;
  std::string vocab;
};

void append_json_line(std::string& out, const Tokenizer& tokenizer, const Encoding& encoding) {
  const std::size_t size = encoding.ids.size();
  out += "{\"ids\": [";
  for (std::size_t i = 0; i < size; ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ", encoding.ids[i]);
  }
  out += "], \"pieces\": [";
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0) out += ", ";
    base::append_json_string(out, tokenizer.piece(encoding.ids[i]));
  }
  out += "], \"offsets\": [";
  for (std::size_t i = 0; i < size; ++i) {
    fmt::format_to(std::back_inserter(out), "{}[{}, {}]", i == 0 ? "" : ", ",
                   encoding.offsets[i].begin, encoding.offsets[i].end);
  }
  out += "]}\n";
}

int run_tokenize(const TokenizeOptions& options) {
  const Tokenizer tokenizer = Tokenizer::from_vocab_file(
      options.vocab.empty() ? find_share_file("bert-base-uncased/vocab.txt")
                            : std::filesystem::path(options.vocab));
  Diagnostics diagnostics;
  InputOptions input;
  input.files = options.files.empty() ? std::vector<std::string>{"-"} : options.files;
  input.mode = InputMode::kLines;
  InputReader reader(std::move(input), diagnostics);
  std::string out, file;
  while (true) {
    const std::vector<InputStep> steps = reader.next(1024);
    if (steps.empty()) break;
    out.clear();
    for (const InputStep& step : steps) {
      if (step.kind == InputStep::Kind::kBegin) file = step.text;
      if (step.kind != InputStep::Kind::kSentence) continue;
      if (step.error.empty()) {
        append_json_line(out, tokenizer, tokenizer.encode(step.text));
      } else {
        diagnostics.bad_input(fmt::format("{}: line {}: {}", file, step.index + 1, step.error));
        out += fmt::format("{{\"error\": \"{}\"}}\n", step.error);
      }
    }
    write_stdout(out);
  }
  return diagnostics.exit_code();
}

}  // namespace

Command add_tokenize_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "tokenize", "Print the WordPiece ids, pieces and byte offsets of each line as JSON");
  const auto options = std::make_shared<TokenizeOptions>();
  command->add_option("files", options->files, "Text files; - or nothing: standard input");
  command->add_option("--vocab", options->vocab, "Vocabulary, one piece per line")
      ->default_str("the shipped bert-base-uncased");
  return {command, [options] { return run_tokenize(*options); }};
}

}  // namespace diffie::cli
