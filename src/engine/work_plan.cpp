#include "engine/work_plan.h"

#include <algorithm>
#include <numeric>

#include "base/divide_up.h"

namespace diffie::engine {
namespace {

// Row pieces of a group: enough that starting it costs nothing, few enough to stay in cache.
constexpr std::size_t kFewestRowPieces = 2048;
constexpr std::size_t kMostRowPieces = 16384;
// A unit of more than a share of the call is split into as many parts for every thread, so that
// none waits long for another one. Others stay whole: rows that are equal are found within a task
// only.
constexpr std::size_t kSharesPerThread = 4;
// Encoder tokens of a group: few enough to stay in cache, enough to be worth the way of the
// weights from memory, unless the denoiser's work is so large that the encoder's does not matter.
constexpr std::size_t kMostEncoderTokens = 512;
constexpr std::size_t kFewestEncoderTokens = 96;

}  // namespace

WorkPlan plan_work(std::span<const std::size_t> unit_pieces, std::size_t cost_per_piece,
                   std::size_t threads) {
  WorkPlan plan;
  const std::size_t total =
      std::accumulate(unit_pieces.begin(), unit_pieces.end(), std::size_t{0}) * cost_per_piece;
  const std::size_t share = std::max(total / (kSharesPerThread * threads), kFewestRowPieces);

  std::vector<std::size_t> by_size(unit_pieces.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return unit_pieces[a] > unit_pieces[b]; });
  std::size_t tokens = kMostEncoderTokens;
  std::size_t cost = 0;
  std::size_t rest = total;  // groups get smaller towards the end, so that all threads end together
  for (const std::size_t unit : by_size) {
    const std::size_t unit_cost = unit_pieces[unit] * cost_per_piece;
    if (threads > 1 && unit_cost >= std::max(share, 2 * kFewestRowPieces)) {
      const std::size_t parts_per_thread = base::divide_up(unit_cost, share * threads);
      plan.alone.push_back({unit, parts_per_thread * threads});
      rest -= unit_cost;
      continue;
    }
    const std::size_t unit_tokens = unit_pieces[unit] + 2;
    const std::size_t pieces_per_group =
        std::clamp(rest / (kSharesPerThread * threads), kFewestRowPieces, kMostRowPieces);
    const bool worth_encoding = tokens >= kFewestEncoderTokens || cost >= kMostRowPieces;
    const bool dear = cost + unit_cost > pieces_per_group && worth_encoding;
    if (dear || tokens + unit_tokens > kMostEncoderTokens) {
      plan.groups.emplace_back();
      tokens = 0;
      cost = 0;
    }
    plan.groups.back().push_back(unit);
    tokens += unit_tokens;
    cost += unit_cost;
    rest -= unit_cost;
  }
  return plan;
}

}  // namespace diffie::engine
