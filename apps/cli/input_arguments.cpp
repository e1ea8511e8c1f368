#include "input_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <utility>

#include "base/printable.h"
#include "diffie/error.h"
#include "tables.h"

namespace diffie::cli {
namespace {

constexpr auto kKinds = std::to_array<std::pair<const char*, InputKind>>({
    {"text", InputKind::kText},
    {"jsonl", InputKind::kJsonl},
    {"parquet", InputKind::kParquet},
    {"arrow", InputKind::kArrow},
});

// As settings have them: 010 is ten to some and eight to others.
bool is_padded(std::string_view number) { return number.size() > 1 && number[0] == '0'; }

// "2/8"; empty: all of it.
Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  constexpr std::uint64_t kMaxShards = 1'000'000;
  std::uint64_t index = 0;
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, index);
  const bool has_slash = first == std::errc() && slash != end && *slash == '/';
  const auto [rest, second] = std::from_chars(has_slash ? slash + 1 : end, end, count);
  const std::size_t digits = static_cast<std::size_t>(slash - text.data());
  if (!has_slash || is_padded(std::string_view(text).substr(0, digits)) ||
      is_padded(std::string_view(text).substr(digits + 1)) || second != std::errc() ||
      rest != end || index < 1 || index > count || count > kMaxShards) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("shard is '{}', must be I/M with I from 1 to M and M at most {}",
                            base::printable(text), kMaxShards));
  }
  return {index - 1, count};
}

}  // namespace

void InputArguments::add_to(CLI::App& app) {
  app.add_option("files", files_,
                 "Files (.txt, .jsonl, .ndjson, each also .gz or .zst; .parquet, .arrow), folders, "
                 "quoted patterns such as 'a/**/*.txt'; '-' for standard input (the default)");
  std::vector<std::string> names = {"auto"};
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  app.add_option("--input-format", format_, "auto (by the name), text, jsonl, parquet or arrow")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--text-field", fields_.text, "Field or column that has a row's text")
      ->capture_default_str();
  app.add_option("--id-field", fields_.id,
                 "Field or column that has a row's id (default: FILE:ROW)");
  app.add_flag("--lines", lines_, "One sentence per line, words found by us");
  app.add_option("--shard", shard_, "I/M: every M-th document (with --lines: line) from the I-th");
}

InputOptions InputArguments::resolve(InputMode mode, Diagnostics& diagnostics) const {
  InputOptions options;
  options.mode = mode;
  options.kind.reset();
  for (const auto& [name, kind] : kKinds) {
    if (format_ == name) options.kind = kind;
  }
  options.open_table = open_table;
  options.fields = fields_;
  options.shard = parse_shard(shard_);
  options.files = files_.empty() ? std::vector<std::string>{"-"}
                                 : expand_inputs(files_, options.kind, diagnostics);
  return options;
}

}  // namespace diffie::cli
