#include "engine/denoiser_predictor.h"

#include "engine/stop.h"

namespace diffie::engine {

void DenoiserPredictor::predict(std::span<const diffusion::SampleBlock> blocks, std::int32_t step,
                                diffusion::Prediction& prediction) {
  throw_if_stopped(context_.stop);
  const StageClock clock(*times_, kDenoise);
  find_distinct_rows(blocks, prediction);
  prediction.logits.resize(states_.size() * diffusion::kNumTags);
  runner_.denoise(*context_.encoded, {offsets_, context_begin_}, states_, step, prediction.logits);
}

void DenoiserPredictor::find_distinct_rows(std::span<const diffusion::SampleBlock> blocks,
                                           diffusion::Prediction& prediction) {
  std::size_t rows = 0;
  for (const diffusion::SampleBlock& block : blocks) rows += block.rows();
  prediction.slot_of_row.resize(rows);
  prediction.logits_begin.clear();
  offsets_.assign(1, 0);
  context_begin_.clear();
  states_.clear();
  std::size_t first_row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const diffusion::SampleBlock& block = blocks[i];
    prediction.logits_begin.push_back(states_.size() * diffusion::kNumTags);
    const auto slots = std::span(prediction.slot_of_row).subspan(first_row, block.rows());
    const std::size_t distinct = row_index_.find(block.tags, block.length, slots, states_);
    for (std::size_t slot = 0; slot < distinct; ++slot) {
      offsets_.push_back(offsets_.back() + static_cast<std::uint32_t>(block.length));
    }
    context_begin_.resize(context_begin_.size() + distinct, context_.first_token[i]);
    first_row += block.rows();
    times_->rows_computed += distinct;
    times_->denoise_flop += static_cast<double>(distinct) * denoiser_flop(config_, block.length);
  }
  times_->rows += rows;
  times_->row_pieces += states_.size();
}

}  // namespace diffie::engine
