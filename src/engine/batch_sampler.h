#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffie/stage_times.h"
#include "diffusion/sampler.h"
#include "engine/row_index.h"
#include "model/denoiser.h"

namespace diffie::engine {

// Trajectories of one sentence that are to be sampled.
struct SampleBlock {
  std::uint64_t key = 0;          // diffusion::sentence_key
  std::size_t context_begin = 0;  // the sentence's first token in the projected context
  std::size_t length = 0;         // its tokens, at least 1
  std::uint64_t first_trajectory = 0;
  std::span<std::uint8_t> tags;  // [rows * length]: the result
};

// Samples blocks of several sentences together, so that a denoiser call has many rows even where a
// sentence has few. Rows of a block with equal states are computed once; neither this nor the
// company changes a bit of a row. Holds scratch memory: one per worker.
class BatchSampler {
 public:
  BatchSampler(const model::Denoiser& denoiser, const model_dir::ModelConfig& config,
               const diffusion::Sampler& sampler)
      : denoiser_(denoiser), config_(config), sampler_(sampler) {}

  // projected [tokens, hidden]: the contexts of all sentences. Rows and time are added to `times`.
  void sample(std::span<const float> projected, std::span<const SampleBlock> blocks,
              model::Workspace& workspace, StageTimes& times);

 private:
  void denoise(std::span<const float> projected, std::span<const SampleBlock> blocks,
               std::int32_t step, model::Workspace& workspace, StageTimes& times);

  const model::Denoiser& denoiser_;
  const model_dir::ModelConfig& config_;
  const diffusion::Sampler& sampler_;
  RowIndex row_index_;
  // One entry per distinct row of one call, and the states of all of them.
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> context_begin_;
  std::vector<std::uint8_t> states_;
  std::vector<float> logits_;
  std::vector<std::uint32_t> slot_of_row_;  // of all blocks' rows, counted from the block's first
  std::vector<std::size_t> logits_begin_;   // of each block
};

}  // namespace diffie::engine
