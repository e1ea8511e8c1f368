#include "engine/recording.h"

namespace diffie::engine {

void RecordingPredictor::predict(std::span<const diffusion::SampleBlock> blocks, std::int32_t step,
                                 diffusion::Prediction& prediction) {
  asked_.predict(blocks, step, prediction);
  if (recording_ == nullptr) return;
  std::size_t first_row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const diffusion::SampleBlock& block = blocks[i];
    const std::size_t size = block.length * diffusion::kNumTags;
    for (std::size_t row = 0; row < block.rows(); ++row) {
      const auto states = block.tags.subspan(row * block.length, block.length);
      const float* logits = prediction.logits.data() + prediction.logits_begin[i] +
                            prediction.slot_of_row[first_row + row] * size;
      recording_->rows.push_back(
          {step, i, {states.begin(), states.end()}, {logits, logits + size}});
    }
    first_row += block.rows();
  }
}

}  // namespace diffie::engine
