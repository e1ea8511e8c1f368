#include "engine/work_plan.h"

#include <algorithm>
#include <numeric>

#include "base/divide_up.h"

namespace diffie::engine {
namespace {

// Row pieces of a group: enough that starting it costs nothing, few enough to stay in cache.
constexpr std::size_t kFewestRowPieces = 2048;
constexpr std::size_t kMostRowPieces = 16384;
// A passage of more than a share of the call is split into as many parts for every thread, so that
// none waits long for another one. Others stay whole: rows that are equal are found within a task
// only.
constexpr std::size_t kSharesPerThread = 4;
// Encoder tokens of a group: few enough to stay in cache, enough to be worth the way of the
// weights from memory, unless the denoiser's work is so large that the encoder's does not matter.
constexpr std::size_t kMostEncoderTokens = 512;
constexpr std::size_t kFewestEncoderTokens = 96;

std::vector<std::size_t> longest_first(std::span<const std::size_t> passage_pieces) {
  std::vector<std::size_t> order(passage_pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return passage_pieces[a] > passage_pieces[b];
  });
  return order;
}

// Tasks of one part each.
std::vector<Task> split(std::size_t passage, std::size_t parts, const WorkShape& shape) {
  const std::size_t branches = base::divide_up(shape.samples, shape.rows_per_branch);
  const std::size_t rows = base::divide_up(branches, parts) * shape.rows_per_branch;
  std::vector<Task> tasks;
  for (std::size_t row = 0; row < shape.samples; row += rows) {
    tasks.push_back({{passage, row, std::min(rows, shape.samples - row)}});
  }
  return tasks;
}

// The parts of as many passages as there are threads take turns: a thread encodes one of them while
// another thread encodes another, and few are held in memory at a time.
void append_in_turns(std::span<const std::vector<Task>> splits, std::size_t threads,
                     std::vector<Task>& tasks) {
  for (std::size_t first = 0; first < splits.size(); first += threads) {
    const auto some = splits.subspan(first, std::min(threads, splits.size() - first));
    std::size_t most = 0;
    for (const std::vector<Task>& parts : some) most = std::max(most, parts.size());
    for (std::size_t part = 0; part < most; ++part) {
      for (const std::vector<Task>& parts : some) {
        if (part < parts.size()) tasks.push_back(parts[part]);
      }
    }
  }
}

}  // namespace

std::vector<Task> plan_work(std::span<const std::size_t> passage_pieces, const WorkShape& shape) {
  const std::size_t total =
      shape.cost_per_piece *
      std::accumulate(passage_pieces.begin(), passage_pieces.end(), std::size_t{0});
  const std::size_t shares = kSharesPerThread * shape.threads;
  const std::size_t share = std::max(total / shares, kFewestRowPieces);
  std::vector<std::vector<Task>> splits;
  std::vector<Task> groups;
  std::size_t tokens = kMostEncoderTokens;  // of the last group; none is open yet
  std::size_t cost = 0;
  std::size_t rest = total;  // groups get smaller towards the end, so that all threads end together
  for (const std::size_t passage : longest_first(passage_pieces)) {
    const std::size_t passage_cost = passage_pieces[passage] * shape.cost_per_piece;
    if (shape.threads > 1 && passage_cost >= std::max(share, 2 * kFewestRowPieces)) {
      const std::size_t parts =
          base::divide_up(passage_cost, share * shape.threads) * shape.threads;
      splits.push_back(split(passage, parts, shape));
      rest -= passage_cost;
      continue;
    }
    const std::size_t passage_tokens = passage_pieces[passage] + 2;
    const std::size_t enough = std::clamp(rest / shares, kFewestRowPieces, kMostRowPieces);
    const bool worth_encoding = tokens >= kFewestEncoderTokens || cost >= kMostRowPieces;
    const bool full = cost + passage_cost > enough && worth_encoding;
    if (full || tokens + passage_tokens > kMostEncoderTokens) {
      groups.emplace_back();
      tokens = 0;
      cost = 0;
    }
    groups.back().push_back({passage, 0, shape.samples});
    tokens += passage_tokens;
    cost += passage_cost;
    rest -= passage_cost;
  }
  std::vector<Task> tasks;
  append_in_turns(splits, shape.threads, tasks);
  std::move(groups.begin(), groups.end(), std::back_inserter(tasks));
  return tasks;
}

std::vector<Task> plan_groups(std::span<const std::size_t> passage_pieces, std::size_t samples,
                              std::size_t most_tokens) {
  std::vector<Task> tasks;
  std::size_t tokens = most_tokens;  // of the last task; none is open yet
  for (const std::size_t passage : longest_first(passage_pieces)) {
    const std::size_t passage_tokens = passage_pieces[passage] + 2;
    if (tokens + passage_tokens > most_tokens) {
      tasks.emplace_back();
      tokens = 0;
    }
    tasks.back().push_back({passage, 0, samples});
    tokens += passage_tokens;
  }
  return tasks;
}

}  // namespace diffie::engine
