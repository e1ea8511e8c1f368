// The points of a grid, gathered by what they share.
#pragma once

#include <vector>

#include "diffie/lab/sweep.h"
#include "extract/selector.h"

namespace diffie::sweep {

// A selector run; its points differ in top_k and min_confidence only, and a smaller top_k or a
// larger min_confidence gives the first ones of its triples. So it runs once, at the largest top_k.
struct Selection {
  Settings settings;
  std::vector<SweepPoint> points;  // selector, top_k, tau, ..., without rule and samples
};

std::vector<Selection> make_selections(const SweepAxes& axes);

}  // namespace diffie::sweep
