// How measurements are shown: tables for people, JSON for programs, ratios to earlier ones.
#pragma once

#include <span>
#include <string>

#include "bench_row.h"

namespace diffie::cli {

// Speed, latency, memory and quality; below it where the time went; where there is a timeline its
// figures.
std::string bench_table(std::span<const BenchRow> rows);

std::string bench_json(std::span<const BenchRow> rows, const std::string& input);

// Now against before, for rows of the same model, preset, precision, threads, samples and steps;
// where there is none, of other samples and steps.
std::string bench_comparison(std::span<const BenchRow> now, std::span<const BenchRow> before);

}  // namespace diffie::cli
