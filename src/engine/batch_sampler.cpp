#include "engine/batch_sampler.h"

#include "engine/stage_clock.h"

namespace diffie::engine {

void BatchSampler::sample(std::span<const float> projected, std::span<const SampleBlock> blocks,
                          model::Workspace& workspace, StageTimes& times) {
  {
    const StageClock clock(times.draw_s);
    for (const SampleBlock& block : blocks) {
      sampler_.start(block.key, block.first_trajectory, block.length, block.tags);
    }
  }
  for (std::size_t index = 0; index < sampler_.times().size(); ++index) {
    {
      const StageClock clock(times.denoise_s);
      denoise(projected, blocks, sampler_.times()[index], workspace, times);
    }
    const StageClock clock(times.draw_s);
    std::size_t first_row = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const SampleBlock& block = blocks[b];
      const std::size_t rows = block.tags.size() / block.length;
      sampler_.jump(index, block.key, block.first_trajectory, block.length,
                    std::span(logits_).subspan(logits_begin_[b]),
                    std::span(slot_of_row_).subspan(first_row, rows), block.tags);
      first_row += rows;
    }
  }
}

void BatchSampler::denoise(std::span<const float> projected, std::span<const SampleBlock> blocks,
                           std::int32_t step, model::Workspace& workspace, StageTimes& times) {
  std::size_t rows = 0;
  for (const SampleBlock& block : blocks) rows += block.tags.size() / block.length;
  slot_of_row_.resize(rows);
  logits_begin_.clear();
  offsets_.assign(1, 0);
  context_begin_.clear();
  states_.clear();
  std::size_t first_row = 0;
  for (const SampleBlock& block : blocks) {
    const std::size_t block_rows = block.tags.size() / block.length;
    logits_begin_.push_back(states_.size() * diffusion::kNumTags);
    const std::size_t distinct = row_index_.find(
        block.tags, block.length, std::span(slot_of_row_).subspan(first_row, block_rows), states_);
    for (std::size_t slot = 0; slot < distinct; ++slot) {
      offsets_.push_back(offsets_.back() + static_cast<std::uint32_t>(block.length));
    }
    context_begin_.resize(context_begin_.size() + distinct,
                          static_cast<std::uint32_t>(block.context_begin));
    first_row += block_rows;
    times.rows_computed += distinct;
    times.denoise_flop += static_cast<double>(distinct) * denoiser_flop(config_, block.length);
  }
  times.rows += rows;
  times.row_pieces += states_.size();
  logits_.resize(states_.size() * diffusion::kNumTags);
  denoiser_.forward(projected, {offsets_, context_begin_}, states_, step, logits_, workspace);
}

}  // namespace diffie::engine
