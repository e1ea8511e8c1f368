// How the passages of a call are cut into tasks of about equal cost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace diffie::engine {

// Trajectories of one passage: all of them, or a part.
struct Share {
  std::size_t passage = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;

  bool operator==(const Share&) const = default;
};

// Goes through all stages at once, on one worker. A task has several whole passages, or a part of
// one.
using Task = std::vector<Share>;

struct WorkShape {
  std::size_t samples = 1;          // trajectories of a passage
  std::size_t rows_per_branch = 1;  // a passage is cut at multiples of it
  std::size_t cost_per_piece = 1;   // rows that a passage goes through the denoiser with, over all
                                    // steps
  std::size_t threads = 1;
};

// In the order in which they are to be started. passage_pieces: none 0.
std::vector<Task> plan_work(std::span<const std::size_t> passage_pieces, const WorkShape& shape);

// The same for a processor that wants much at a time: whole passages, the longest first, of about
// most_tokens encoder tokens a task.
std::vector<Task> plan_groups(std::span<const std::size_t> passage_pieces, std::size_t samples,
                              std::size_t most_tokens);

}  // namespace diffie::engine
