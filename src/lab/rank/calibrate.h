// From scores to probabilities, and how good these are.
#pragma once

#include <span>
#include <vector>

#include "diffie/lab/rank.h"
#include "extract/ranker.h"

namespace diffie::rank {

struct Judged {
  double score = 0;
  bool right = false;
};

// Isotonic regression over groups of equal size, so that the probability rises with the score;
// strictly, by a hair, where the data would leave it level: order must survive. At least one is
// needed.
extract::Calibration calibrate(std::vector<Judged> judged);

// Ten bins of equal width.
Reliability reliability_of(std::span<const Judged> judged);  // scores are probabilities

}  // namespace diffie::rank
