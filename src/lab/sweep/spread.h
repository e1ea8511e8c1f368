#pragma once

#include <span>

#include "diffie/lab/sweep.h"

namespace diffie::sweep {

// Mean and sample deviation; at least one value.
Spread spread_of(std::span<const double> values);

// Field by field over several runs of one measure, of the runs' means.
SweepScore spread_of(std::span<const SweepScore> runs);

SweepScore to_sweep_score(const Score& score);

}  // namespace diffie::sweep
