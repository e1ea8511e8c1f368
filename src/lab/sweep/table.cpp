#include <fmt/format.h>

#include <iterator>

#include "diffie/lab/sweep.h"

namespace diffie {
namespace {

template <typename Value>
std::string cell(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value * 100) : "";
}

// A name may hold what would break the row.
std::string one_cell(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

void append_score(std::string& out, const SweepScore& score) {
  const Spread* auc = score.auc ? &*score.auc : nullptr;
  for (const Spread* spread : {&score.precision, &score.recall, &score.f1, auc}) {
    fmt::format_to(std::back_inserter(out), "\t{}\t{}", spread ? percent(spread->mean) : "",
                   spread ? percent(spread->deviation) : "");
  }
}

}  // namespace

std::string sweep_tsv(const SweepTable& table) {
  std::string out = "label\tpool\truns\tselector\trule\tn\tk\ttau\tpower\twording\tmin_confidence";
  for (const Measure measure : table.measures) {
    for (const char* value : {"P", "R", "F1", "AUC"}) {
      fmt::format_to(std::back_inserter(out), "\t{0}_{1}\t{0}_{1}_sd", to_string(measure), value);
    }
  }
  out += '\n';
  for (const SweepRow& row : table.rows) {
    const SweepPoint& point = row.point;
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                   one_cell(row.label), row.pool.empty() ? "(mean)" : one_cell(row.pool), row.runs,
                   point.selector_name(), point.rule_name(), point.samples, cell(point.top_k),
                   cell(point.tau), cell(point.power), cell(point.wording),
                   cell(point.min_confidence));
    for (const SweepScore& score : row.scores) append_score(out, score);
    out += '\n';
  }
  return out;
}

}  // namespace diffie
