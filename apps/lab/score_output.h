// How scores are shown: a table for people, JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diffie/lab/score_report.h"

namespace diffie::cli {

struct ScoredSystem {
  Score score;
  std::optional<BootstrapIntervals> intervals;
  std::optional<Explanation> explanation;
};

struct NamedComparison {
  std::string a;
  std::string b;
  Comparison result;
};

struct ScoreReport {
  std::vector<ScoredSystem> systems;
  std::optional<NamedComparison> comparison;
  ResamplingOptions resampling;
};

std::string score_table(const ScoreReport& report);

// One object; with several systems they are a list under "systems".
std::string score_json(const ScoreReport& report);

}  // namespace diffie::cli
