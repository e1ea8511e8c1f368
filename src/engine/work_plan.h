// How the units of a call are cut into tasks of about equal cost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace diffie::engine {

// Units that go through all stages together in one task.
using UnitGroup = std::vector<std::size_t>;

struct WorkPlan {
  std::vector<UnitGroup> groups;    // largest units first
  std::vector<std::size_t> alone;   // units whose trajectories are split over several tasks
  std::size_t pieces_per_task = 0;  // so many row pieces, over all steps, are a task's aim
};

// unit_pieces: pieces of every unit, none 0. pieces_per_piece: rows times steps of each unit, the
// cost of one of its pieces. Every unit is in one group or alone, and never alone when !may_split.
WorkPlan plan_work(std::span<const std::size_t> unit_pieces, std::size_t pieces_per_piece,
                   std::size_t threads, bool may_split);

}  // namespace diffie::engine
