#include "sweep_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace diffie::cli {
namespace {

using nlohmann::ordered_json;
using Cells = std::vector<std::string>;

template <typename Value>
std::string cell(const std::optional<Value>& value) {
  return value ? fmt::format("{:g}", static_cast<double>(*value)) : "-";
}

std::string cell(const Spread& spread) {
  std::string text = fmt::format("{:.2f}", spread.mean * 100);
  if (spread.deviation) text += fmt::format(" ({:.2f})", *spread.deviation * 100);
  return text;
}

// Columns of the point; what is the same in all rows is said once above the table.
struct Column {
  const char* name;
  std::string (*text)(const SweepRow& row);
};

constexpr std::array<Column, 9> kColumns = {{
    {"label", [](const SweepRow& row) { return row.label; }},
    {"selector", [](const SweepRow& row) { return row.point.selector_name(); }},
    {"rule", [](const SweepRow& row) { return row.point.rule_name(); }},
    {"n", [](const SweepRow& row) { return std::to_string(row.point.samples); }},
    {"k", [](const SweepRow& row) { return cell(row.point.top_k); }},
    {"tau", [](const SweepRow& row) { return cell(row.point.tau); }},
    {"power", [](const SweepRow& row) { return cell(row.point.power); }},
    {"wording", [](const SweepRow& row) { return cell(row.point.wording); }},
    {"min-conf", [](const SweepRow& row) { return cell(row.point.min_confidence); }},
}};

// The values that occur; rows to which the column does not apply have none.
std::set<std::string> values_of(const std::vector<SweepRow>& rows, const Column& column) {
  std::set<std::string> values;
  for (const SweepRow& row : rows) values.insert(column.text(row));
  values.erase("-");
  return values;
}

void append_lines(std::string& out, const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += fmt::format("{:<{}}  ", line[i], widths[i]);
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }
}

void append_table(std::string& out, const SweepTable& table) {
  std::string fixed;
  std::vector<const Column*> columns;
  for (const Column& column : kColumns) {
    const std::set<std::string> values = values_of(table.rows, column);
    if (values.size() > 1) columns.push_back(&column);
    if (values.size() != 1) continue;
    fixed += fmt::format("{}{} {}", fixed.empty() ? "" : ", ", column.name, *values.begin());
  }
  if (!fixed.empty()) out += fmt::format("all rows: {}\n", fixed);
  std::vector<Cells> lines(1);
  for (const Column* column : columns) lines[0].push_back(column->name);
  lines[0].push_back("pool");
  for (const Measure measure : table.measures) {
    lines[0].push_back(fmt::format("{}: P", to_string(measure)));
    lines[0].insert(lines[0].end(), {"R", "F1"});
    if (has_curve(measure)) lines[0].push_back("AUC");
  }
  for (const SweepRow& row : table.rows) {
    Cells& line = lines.emplace_back();
    for (const Column* column : columns) line.push_back(column->text(row));
    line.push_back(row.pool.empty() ? fmt::format("mean of {}", row.runs) : row.pool);
    for (const SweepScore& score : row.scores) {
      for (const Spread* spread : {&score.precision, &score.recall, &score.f1}) {
        line.push_back(cell(*spread));
      }
      if (score.auc) line.push_back(cell(*score.auc));
    }
  }
  append_lines(out, lines);
}

void append_statistics(std::string& out, const NamedStatistics& named) {
  const PoolStatistics& values = named.statistics;
  const auto put = [&](const char* name, const std::string& value) {
    fmt::format_to(std::back_inserter(out), "  {:<44} {}\n", name, value);
  };
  const auto share = [](double value) { return fmt::format("{:.1f} %", value * 100); };
  fmt::format_to(std::back_inserter(out), "{}{}: {} samples of {} sentences\n",
                 out.empty() ? "" : "\n", named.pool, values.num_samples, values.num_sentences);
  put("distinct tag sequences per sentence", fmt::format("{:.1f}", values.distinct_per_sentence));
  put("samples without a triple", share(values.no_triple));
  put("samples with a discontinuous role", share(values.discontinuous));
  put("  subject", share(values.discontinuous_by_role[0]));
  put("  relation", share(values.discontinuous_by_role[1]));
  put("  object", share(values.discontinuous_by_role[2]));
  put("words that `longest` discards, where it does",
      fmt::format("{:.2f}", values.discarded_when_discontinuous));
  put("words that `longest` discards, per sample", fmt::format("{:.2f}", values.discarded));
}

ordered_json to_json(const Spread& spread) {
  ordered_json value = {{"mean", spread.mean}, {"deviation", nullptr}};
  if (spread.deviation) value["deviation"] = *spread.deviation;
  return value;
}

ordered_json to_json(const SweepRow& row, const std::vector<Measure>& measures) {
  const SweepPoint& point = row.point;
  ordered_json value = {{"label", row.label}, {"pool", nullptr}, {"runs", row.runs}};
  if (!row.pool.empty()) value["pool"] = row.pool;
  value["selector"] = point.selector_name();
  value["rule"] = point.rule_name();
  value["samples"] = point.samples;
  if (point.top_k) value["top_k"] = *point.top_k;
  if (point.tau) value["tau"] = *point.tau;
  if (point.power) value["power"] = *point.power;
  if (point.wording) value["wording"] = *point.wording;
  if (point.min_confidence) value["min_confidence"] = *point.min_confidence;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    ordered_json& score = value["scores"][to_string(measures[i])];
    score["precision"] = to_json(row.scores[i].precision);
    score["recall"] = to_json(row.scores[i].recall);
    score["f1"] = to_json(row.scores[i].f1);
    if (row.scores[i].auc) score["auc"] = to_json(*row.scores[i].auc);
  }
  return value;
}

ordered_json to_json(const NamedStatistics& named) {
  const PoolStatistics& values = named.statistics;
  const auto& by_role = values.discontinuous_by_role;
  return {{"pool", named.pool},
          {"sentences", values.num_sentences},
          {"samples", values.num_samples},
          {"distinct_per_sentence", values.distinct_per_sentence},
          {"no_triple", values.no_triple},
          {"discontinuous", values.discontinuous},
          {"discontinuous_by_role",
           {{"subject", by_role[0]}, {"relation", by_role[1]}, {"object", by_role[2]}}},
          {"discarded_when_discontinuous", values.discarded_when_discontinuous},
          {"discarded", values.discarded}};
}

}  // namespace

std::string sweep_text(const SweepReport& report) {
  std::string out;
  if (!report.table.rows.empty()) append_table(out, report.table);
  for (const NamedStatistics& named : report.statistics) append_statistics(out, named);
  return out;
}

std::string sweep_json(const SweepReport& report) {
  ordered_json value = {{"rows", ordered_json::array()}};
  for (const SweepRow& row : report.table.rows) {
    value["rows"].push_back(to_json(row, report.table.measures));
  }
  if (!report.statistics.empty()) value["statistics"] = ordered_json::array();
  for (const NamedStatistics& named : report.statistics) {
    value["statistics"].push_back(to_json(named));
  }
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace diffie::cli
