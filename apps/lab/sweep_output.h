// How a sweep is shown: a table for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "diffie/lab/sweep.h"

namespace diffie::cli {

struct NamedStatistics {
  std::string pool;
  PoolStatistics statistics;
};

struct SweepReport {
  SweepTable table;
  std::vector<NamedStatistics> statistics;  // on request
};

std::string sweep_text(const SweepReport& report);
std::string sweep_json(const SweepReport& report);

}  // namespace diffie::cli
