#include "model/denoiser.h"

#include <fmt/format.h>

namespace diffie::model {

namespace {

constexpr std::size_t kNumTags = 4;

}  // namespace

Denoiser::Denoiser(const model_dir::ModelDir& dir, Precision precision)
    : network_(dir, denoiser_shape(dir.config()), precision),
      head_(Linear::load(dir, "denoiser.head", kNumTags, network_.hidden(), precision)) {}

void Denoiser::forward(std::span<const float> projected, const RowBatch& rows,
                       std::span<const std::uint8_t> states, std::int32_t step,
                       std::span<float> logits, Workspace& workspace) const {
  if (logits.size() != states.size() * kNumTags) {
    network_.refuse(
        fmt::format("room for {} logits, wanted {}", logits.size(), states.size() * kNumTags));
  }
  network_.forward(projected, rows, states, step, workspace,
                   [&](std::size_t first, std::size_t end, std::span<const float> values) {
                     const std::size_t tokens = rows.offsets[end] - rows.offsets[first];
                     head_.apply(values, tokens,
                                 logits.subspan(rows.offsets[first] * kNumTags, tokens * kNumTags),
                                 workspace);
                   });
}

}  // namespace diffie::model
