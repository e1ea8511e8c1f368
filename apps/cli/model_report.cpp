#include "model_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "diffie/settings.h"

namespace diffie::cli {
namespace {

using nlohmann::json;

std::string row(std::string_view label, const std::string& text) {
  return fmt::format("{:<11} {}\n", label, base::one_line_shown(text));
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// How many tensors and bytes of each type, e.g. "F32 12 (0.1 MB), I8 40 (22.5 MB)".
std::string types_text(const std::vector<TensorInfo>& tensors) {
  std::map<std::string, std::pair<std::size_t, std::uint64_t>> by_type;
  for (const TensorInfo& tensor : tensors) {
    by_type[tensor.dtype].first += 1;
    by_type[tensor.dtype].second += tensor.bytes;
  }
  std::vector<std::string> parts;
  for (const auto& [dtype, sums] : by_type) {
    parts.push_back(fmt::format("{} {} ({})", sums.first, dtype, megabytes(sums.second)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

using Table = std::vector<std::vector<std::string>>;

// Columns as wide as their widest cell, two blanks between them, no blanks at the end.
std::string table_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (const auto& cells : table) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string out;
  for (const auto& cells : table) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += fmt::format("{:<{}}  ", base::one_line_shown(cells[i]), widths[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

Table preset_table(const json& config) {
  const bool anchored = config.at("diffusion").at("kernel") == "anchored";
  std::vector<std::string> columns = {"samples", "steps"};
  if (anchored) columns = {"theta", "branch", "refine"};
  for (const char* column :
       {"top_k", "tau", "rule", "selector", "power", "wording", "min_confidence"}) {
    columns.emplace_back(column);
  }
  if (!anchored) columns.insert(columns.end(), {"temperature", "remask"});
  Table table = {{"preset"}};
  table[0].insert(table[0].end(), columns.begin(), columns.end());
  for (const auto& item : config.at("presets").items()) {
    const bool is_default = item.key() == config.at("default_preset").get<std::string>();
    table.push_back({item.key() + (is_default ? " *" : "")});
    for (const std::string& column : columns) {
      const auto found = item.value().find(column);
      table.back().push_back(found == item.value().end() ? get_setting({}, column) : text(*found));
    }
  }
  return table;
}

}  // namespace

std::string model_report(const ModelInfo& info, bool with_tensors) {
  const json config = json::parse(info.config_json);  // checked by inspect_model
  const json& encoder = config.at("encoder");
  const json& diffusion = config.at("diffusion");
  std::string out;
  out += row("name", text(config.at("name")));
  out += row("trained", config.at("trained") ? "yes" : "no: random weights, triples mean nothing");
  out += row("encoder",
             fmt::format("BERT, {} layers x {}, {} heads, MLP {}, {} pieces, {} positions",
                         text(encoder.at("layers")), text(encoder.at("hidden")),
                         text(encoder.at("heads")), text(encoder.at("intermediate")),
                         text(encoder.at("vocab_size")), text(encoder.at("max_positions"))));
  for (const char* network : {"denoiser", "judge"}) {
    const auto found = config.find(network);
    if (found == config.end()) continue;
    out += row(network, fmt::format("{} layers x {}, {} heads", text(found->at("layers")),
                                    text(found->at("hidden")), text(found->at("heads"))));
  }
  out +=
      row("diffusion", fmt::format("{} kernel, {} schedule, {} steps", text(diffusion.at("kernel")),
                                   text(diffusion.at("schedule")), text(diffusion.at("steps"))));
  out += row("parameters", fmt::format("{:.2f} M", static_cast<double>(info.parameters) / 1e6));
  out += row("tensors", types_text(info.tensors));
  out += row("size", fmt::format("{} on disk, {} weight file(s)", megabytes(info.bytes_on_disk),
                                 config.at("weights").size()));
  for (const auto& item : config.at("provenance").items()) {
    out += row("provenance", fmt::format("{}: {}", item.key(), text(item.value())));
  }
  out += "\n" + table_text(preset_table(config)) + "(* default)\n";
  if (with_tensors) {
    Table table = {{"tensor", "type", "shape", "bytes", "file"}};
    for (const TensorInfo& tensor : info.tensors) {
      table.push_back({tensor.name, tensor.dtype, shape_text(tensor.shape),
                       std::to_string(tensor.bytes), tensor.file});
    }
    out += "\n" + table_text(table);
  }
  return out;
}

std::string model_report_json(const ModelInfo& info) {
  nlohmann::ordered_json report;
  report["config"] = nlohmann::ordered_json::parse(info.config_json);
  report["parameters"] = info.parameters;
  report["bytes_on_disk"] = info.bytes_on_disk;
  report["tensors"] = nlohmann::ordered_json::array();
  for (const TensorInfo& tensor : info.tensors) {
    report["tensors"].push_back({{"name", tensor.name},
                                 {"dtype", tensor.dtype},
                                 {"shape", tensor.shape},
                                 {"bytes", tensor.bytes},
                                 {"file", tensor.file}});
  }
  return report.dump(2) + "\n";
}

}  // namespace diffie::cli
