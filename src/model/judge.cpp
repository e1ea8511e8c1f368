#include "model/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace diffie::model {

namespace {

constexpr std::size_t kNumTags = 4;

// Workspace slots, beyond those of the network.
enum Slot : std::size_t { kMeans = 10, kPooled, kLogits };

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

}  // namespace

Judge::Judge(const model_dir::ModelDir& dir, Precision precision)
    : network_(dir, judge_shape(dir.config()), precision),
      pool_(Linear::load(dir, "judge.pool", hidden(), kNumTags * hidden(), precision)),
      head_(Linear::load(dir, "judge.head", model_dir::kNumJudgements, hidden(), precision)) {}

void Judge::forward(std::span<const float> projected, const RowBatch& rows,
                    std::span<const std::uint8_t> tags, std::span<Judgement> judgements,
                    Workspace& workspace) const {
  const std::size_t num_rows = rows.context_begin.size();
  if (judgements.size() != num_rows) {
    network_.refuse(fmt::format("room for {} judgements, wanted {}", judgements.size(), num_rows));
  }
  const std::size_t width = kNumTags * hidden();
  const std::span means(workspace.floats(kMeans, num_rows * width), num_rows * width);
  std::fill(means.begin(), means.end(), 0.0f);  // also of rows that have no piece
  network_.forward(projected, rows, tags, 1, workspace,
                   [&](std::size_t first, std::size_t end, std::span<const float> values) {
                     for (std::size_t row = first; row < end; ++row) {
                       const std::size_t begin = rows.offsets[row];
                       const std::size_t length = rows.offsets[row + 1] - begin;
                       const std::size_t at = begin - rows.offsets[first];
                       pool(tags.subspan(begin, length),
                            values.subspan(at * hidden(), length * hidden()),
                            means.subspan(row * width, width));
                     }
                   });
  const std::span pooled(workspace.floats(kPooled, num_rows * hidden()), num_rows * hidden());
  const std::size_t num_logits = num_rows * model_dir::kNumJudgements;
  const std::span logits(workspace.floats(kLogits, num_logits), num_logits);
  pool_.apply(means, num_rows, pooled, workspace, ops::Epilogue::kBiasGelu);
  head_.apply(pooled, num_rows, logits, workspace);
  for (std::size_t row = 0; row < num_rows; ++row) {
    judgements[row] = {sigmoid(logits[2 * row]), sigmoid(logits[2 * row + 1])};
  }
}

// The mean over the pieces of each tag, one after another; zeros for a tag that is absent.
void Judge::pool(std::span<const std::uint8_t> tags, std::span<const float> values,
                 std::span<float> means) const {
  std::array<std::size_t, kNumTags> counts{};
  for (std::size_t piece = 0; piece < tags.size(); ++piece) {
    ++counts[tags[piece]];
    const std::span mean = means.subspan(tags[piece] * hidden(), hidden());
    for (std::size_t i = 0; i < hidden(); ++i) mean[i] += values[piece * hidden() + i];
  }
  for (std::size_t tag = 0; tag < kNumTags; ++tag) {
    const float scale = counts[tag] == 0 ? 0.0f : 1.0f / static_cast<float>(counts[tag]);
    for (float& value : means.subspan(tag * hidden(), hidden())) value *= scale;
  }
}

}  // namespace diffie::model
