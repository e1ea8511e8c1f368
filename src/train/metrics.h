// What a run reports while it goes: metrics.csv, a TensorBoard event file, a progress line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::train {

class EventFile;

struct DevScore {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double auc = 0;
};

struct MetricRow {
  std::int64_t step = 0;  // steps done
  double epoch = 0;
  double seconds = 0;          // since the start of the run, pauses not counted
  std::optional<double> loss;  // mean since the row before
  std::optional<double> rate;  // of the denoiser
  std::optional<double> instances_per_second;
  std::optional<DevScore> dev;
};

// Reads back what MetricLog wrote. Throws kBadInput for a line that is not a row.
std::vector<MetricRow> parse_metrics(std::string_view csv, std::string_view where);

class MetricLog {
 public:
  // Starts DIR/metrics.csv anew, or keeps its rows up to `resumed_step`.
  MetricLog(const std::filesystem::path& dir, std::optional<std::int64_t> resumed_step);
  ~MetricLog();

  void add(const MetricRow& row);
  const std::vector<MetricRow>& rows() const { return rows_; }

 private:
  std::filesystem::path csv_path_;
  std::vector<MetricRow> rows_;
  std::unique_ptr<EventFile> events_;
};

// One line on standard error: redrawn in place on a terminal, otherwise one line per report.
class Progress {
 public:
  Progress(std::string name, std::int64_t total_steps, bool quiet);
  ~Progress();
  void report(const MetricRow& row);
  void note(const std::string& line);

 private:
  std::string name_;
  std::int64_t total_steps_;
  bool quiet_;
  bool terminal_;
  bool open_line_ = false;
};

// "1:02:03", "2:03".
std::string clock_text(double seconds);

}  // namespace diffie::train
