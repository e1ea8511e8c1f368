#include "train/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>

#include "base/write_stderr.h"
#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "train/event_file.h"

namespace diffie::train {
namespace {

constexpr std::string_view kHeader =
    "step,epoch,seconds,loss,rate,instances_per_second,dev_precision,dev_recall,dev_f1,dev_auc\n";
constexpr std::size_t kColumns = 10;

double wall_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string to_csv(const MetricRow& row) {
  std::string line = fmt::format("{},{:.4f},{:.2f},{},{},{}", row.step, row.epoch, row.seconds,
                                 cell(row.loss), cell(row.rate), cell(row.instances_per_second));
  if (!row.dev) return line + ",,,,\n";
  return line + fmt::format(",{:.6f},{:.6f},{:.6f},{:.6f}\n", row.dev->precision, row.dev->recall,
                            row.dev->f1, row.dev->auc);
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

// An empty cell is no number, which is allowed; anything else must be one.
std::optional<double> parse_cell(std::string_view text, std::string_view where, std::size_t line) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: '{}' is no number", where, line, text));
  }
  return value;
}

}  // namespace

std::vector<MetricRow> parse_metrics(std::string_view csv, std::string_view where) {
  std::vector<MetricRow> rows;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < csv.size();) {
    const std::size_t end = csv.find('\n', begin);
    if (end == std::string_view::npos) break;  // a line cut short by a kill
    const std::string_view text = csv.substr(begin, end - begin);
    begin = end + 1;
    if (++line == 1) continue;
    const std::vector<std::string_view> cells = split_cells(text);
    if (cells.size() != kColumns) {
      throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: {} cells, {} are wanted", where, line,
                                                    cells.size(), kColumns));
    }
    std::vector<std::optional<double>> values;
    for (const std::string_view cell_text : cells) {
      values.push_back(parse_cell(cell_text, where, line));
    }
    MetricRow row;
    row.step = static_cast<std::int64_t>(values[0].value_or(0));
    row.epoch = values[1].value_or(0);
    row.seconds = values[2].value_or(0);
    row.loss = values[3];
    row.rate = values[4];
    row.instances_per_second = values[5];
    if (values[8]) {
      row.dev =
          DevScore{values[6].value_or(0), values[7].value_or(0), *values[8], values[9].value_or(0)};
    }
    rows.push_back(row);
  }
  return rows;
}

MetricLog::MetricLog(const std::filesystem::path& dir, std::optional<std::int64_t> resumed_step)
    : csv_path_(dir / "metrics.csv") {
  if (resumed_step && std::filesystem::exists(csv_path_)) {
    for (const MetricRow& row : parse_metrics(files::read_text_file(csv_path_), "metrics.csv")) {
      if (row.step <= *resumed_step) rows_.push_back(row);
    }
  }
  std::string csv(kHeader);
  for (const MetricRow& row : rows_) csv += to_csv(row);
  files::write_text_file(csv_path_, csv);
  events_ = std::make_unique<EventFile>(dir, wall_time());
}

MetricLog::~MetricLog() = default;

void MetricLog::add(const MetricRow& row) {
  rows_.push_back(row);
  std::ofstream out(csv_path_, std::ios::app | std::ios::binary);
  if (!(out << to_csv(row)).flush()) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be written", csv_path_.string()));
  }
  const double now = wall_time();
  const auto scalar = [&](std::string_view tag, const std::optional<double>& value) {
    if (value) events_->add_scalar(tag, *value, row.step, now);
  };
  scalar("train/loss", row.loss);
  scalar("train/rate", row.rate);
  scalar("train/instances_per_second", row.instances_per_second);
  if (row.dev) {
    scalar("dev/f1", row.dev->f1);
    scalar("dev/auc", row.dev->auc);
    scalar("dev/precision", row.dev->precision);
    scalar("dev/recall", row.dev->recall);
  }
}

Progress::Progress(std::string name, std::int64_t total_steps, bool quiet)
    : name_(std::move(name)),
      total_steps_(total_steps),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (open_line_) base::write_stderr("\n");
}

void Progress::report(const MetricRow& row) {
  if (quiet_) return;
  constexpr int kBar = 24;
  const double done = static_cast<double>(row.step) / static_cast<double>(total_steps_);
  std::string line = fmt::format("{}: ", name_);
  if (terminal_) {
    const int full = static_cast<int>(done * kBar);
    line += fmt::format("[{:-<{}}] ", std::string(static_cast<std::size_t>(full), '#'), kBar);
  }
  line += fmt::format("step {}/{} epoch {:.2f}", row.step, total_steps_, row.epoch);
  if (row.loss) line += fmt::format(" loss {:.4f}", *row.loss);
  if (row.rate) line += fmt::format(" rate {:.2e}", *row.rate);
  if (row.instances_per_second && *row.instances_per_second > 0) {
    const double left = done > 0 ? row.seconds * (1 - done) / done : 0;
    line +=
        fmt::format(" {:.0f} instances/s, {} left", *row.instances_per_second, clock_text(left));
  }
  if (row.dev) {
    line += fmt::format(" dev F1 {:.2f} AUC {:.2f}", 100 * row.dev->f1, 100 * row.dev->auc);
  }
  if (terminal_ && !row.dev) {
    base::write_stderr("\r\033[K" + line);
    open_line_ = true;
  } else {
    note(line);
  }
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  base::write_stderr(fmt::format("{}{}\n", open_line_ ? "\r\033[K" : "", line));
  open_line_ = false;
}

std::string clock_text(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds + 0.5);
  const std::int64_t hours = total / 3600, minutes = total / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60)
                   : fmt::format("{}:{:02}", minutes, total % 60);
}

}  // namespace diffie::train
