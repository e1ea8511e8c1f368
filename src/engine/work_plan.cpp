#include "engine/work_plan.h"

#include <algorithm>
#include <numeric>

namespace diffie::engine {
namespace {

// Row pieces of a task: long enough that starting it costs nothing, short enough that the last
// one of a call does not keep a thread waiting.
constexpr std::size_t kMostRowPieces = 16384;
constexpr std::size_t kFewestRowPieces = 2048;
constexpr std::size_t kTasksPerThread = 4;
// Encoder tokens of a group: few enough to stay in cache, enough to be worth the way of the
// weights from memory.
constexpr std::size_t kMostEncoderTokens = 512;
constexpr std::size_t kFewestEncoderTokens = 96;

}  // namespace

WorkPlan plan_work(std::span<const std::size_t> unit_pieces, std::size_t pieces_per_piece,
                   std::size_t threads, bool may_split) {
  WorkPlan plan;
  const std::size_t total =
      std::accumulate(unit_pieces.begin(), unit_pieces.end(), std::size_t{0}) * pieces_per_piece;
  plan.pieces_per_task =
      std::clamp(total / (kTasksPerThread * threads), kFewestRowPieces, kMostRowPieces);

  std::vector<std::size_t> by_size(unit_pieces.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return unit_pieces[a] > unit_pieces[b]; });
  std::size_t tokens = kMostEncoderTokens;
  std::size_t cost = 0;
  for (const std::size_t unit : by_size) {
    const std::size_t unit_cost = unit_pieces[unit] * pieces_per_piece;
    if (may_split && unit_cost >= 2 * plan.pieces_per_task) {
      plan.alone.push_back(unit);
      continue;
    }
    const std::size_t unit_tokens = unit_pieces[unit] + 2;
    const bool dear = cost + unit_cost > plan.pieces_per_task && tokens >= kFewestEncoderTokens;
    if (dear || tokens + unit_tokens > kMostEncoderTokens) {
      plan.groups.emplace_back();
      tokens = 0;
      cost = 0;
    }
    plan.groups.back().push_back(unit);
    tokens += unit_tokens;
    cost += unit_cost;
  }
  return plan;
}

}  // namespace diffie::engine
