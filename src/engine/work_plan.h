// How the units of a call are cut into tasks of about equal cost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace diffie::engine {

// Units that go through all stages together in one task.
using UnitGroup = std::vector<std::size_t>;

// A unit whose trajectories are to be split over so many tasks.
struct UnitSplit {
  std::size_t unit = 0;
  std::size_t parts = 0;

  bool operator==(const UnitSplit&) const = default;
};

struct WorkPlan {
  std::vector<UnitGroup> groups;  // largest units first
  std::vector<UnitSplit> alone;
};

// unit_pieces: pieces of every unit, none 0. cost_per_piece: rows that a unit goes through the
// denoiser with, over all steps. Every unit is in one group or alone.
WorkPlan plan_work(std::span<const std::size_t> unit_pieces, std::size_t cost_per_piece,
                   std::size_t threads);

}  // namespace diffie::engine
