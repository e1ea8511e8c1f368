// Which reader serves which format, and which format a file is in.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/utf8.h"
#include "diffie/error.h"
#include "files/read_file.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie {
namespace {

using score::BadLines;
using score::Line;

struct Format {
  const char* name;
  score::LineReader read;  // none: not line by line
};

constexpr std::array<Format, 13> kFormats = {{
    {"tabbed", score::read_tabbed},
    {"jsonl", score::read_jsonl},
    {"tsv", score::read_tsv},
    {"openie4", score::read_openie4},
    {"openie5", score::read_openie5},
    {"clausie", score::read_clausie},
    {"ollie", score::read_ollie},
    {"reverb", score::read_reverb},
    {"stanford", score::read_stanford},
    {"detie", score::read_detie},
    {"allennlp", score::read_allennlp},
    {"benchie", score::read_benchie_explicit},
    {"wire57", nullptr},
}};

const Format& find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("no prediction format '{}'; there are {}", name,
                          text::join(prediction_format_names(), ", ")));
}

// Our table has a number in the first of its five columns, where others have words.
bool is_tsv(std::string_view line) {
  const auto cells = text::split_at(line, '\t');
  double confidence = 0;
  return cells.size() == 5 && score::parse_number(cells[0], confidence) &&
         !score::parse_number(cells[1], confidence);
}

bool is_json_line(std::string_view line) {
  return text::strip(line).starts_with('{') && line.find("\"sentence\"") != std::string_view::npos;
}

// The first that are not blank.
std::vector<std::string_view> first_lines(std::string_view text) {
  constexpr std::size_t kMany = 20;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kMany) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!text::strip(line).empty()) lines.push_back(line);
  }
  return lines;
}

// One object a line and our table are recognised by half of the first lines, so that a bad one says
// nothing of the others; WiRe57's object by how it begins, BenchIE's form by the measure; all else
// is tabbed.
std::string_view guess_format(std::string_view text, Measure measure) {
  const std::vector<std::string_view> lines = first_lines(text);
  const auto half_are = [&](bool (*is_one)(std::string_view)) {
    const auto count = std::count_if(lines.begin(), lines.end(), is_one);
    return count > 0 && 2 * static_cast<std::size_t>(count) >= lines.size();
  };
  if (half_are(is_json_line)) return "jsonl";
  if (half_are(is_tsv)) return "tsv";
  if (!lines.empty() && text::strip(lines.front()).starts_with('{')) return "wire57";
  return measure == Measure::kBenchie ? "benchie" : "tabbed";
}

// Lines that are not UTF-8 are bad whatever the format.
std::vector<Line> readable_lines(std::string_view text, BadLines& bad) {
  std::vector<Line> lines = score::split_lines(text);
  std::erase_if(lines, [&](const Line& line) {
    if (!base::find_invalid_utf8(line.text)) return false;
    bad.add(line.number, "not UTF-8");
    return true;
  });
  return lines;
}

}  // namespace

std::vector<std::string> prediction_format_names() {
  std::vector<std::string> names = {"auto"};
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

GoldStandard read_gold(const std::string& path, Measure measure, bool skip_bad) {
  const std::string text = files::read_text_file(path);
  BadLines bad;
  GoldStandard gold;
  if (measure == Measure::kWire57 || measure == Measure::kWire57Hungarian) {
    gold = score::read_wire57_gold(text, bad);
  } else {
    const std::vector<Line> lines = readable_lines(text, bad);
    gold = measure == Measure::kBenchie ? score::read_benchie_gold(lines, bad)
                                        : score::read_carb_gold(lines, measure, bad);
  }
  gold.skipped = bad.take(path, skip_bad);
  if (gold.sentences.empty()) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: no gold sentence for {} in it", path, to_string(measure)));
  }
  return gold;
}

std::vector<SystemOutput> read_predictions(const std::string& path, Measure measure,
                                           const ScoreReadOptions& options) {
  const std::string text = files::read_text_file(path);
  const Format& format =
      find_format(options.format == "auto" ? guess_format(text, measure) : options.format);
  BadLines bad;
  std::vector<SystemOutput> outputs;
  if (format.read == nullptr) {
    outputs = score::read_wire57_extractions(text, options.extractor, bad);
    if (outputs.empty() && !options.extractor.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{}: no extractor '{}' in it", path, options.extractor));
    }
  } else {
    score::TupleSink sink;
    format.read(readable_lines(text, bad), sink, bad);
    outputs.push_back({std::filesystem::path(path).stem().string(), sink.take(), {}});
  }
  const std::vector<BadLine> skipped = bad.take(path, options.skip_bad);
  for (SystemOutput& output : outputs) output.skipped = skipped;
  return outputs;
}

}  // namespace diffie
