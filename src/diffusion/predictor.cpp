#include "diffusion/predictor.h"

#include <numeric>

namespace diffie::diffusion {

void RowPredictor::predict(std::span<const SampleBlock> blocks, std::int32_t step,
                           Prediction& prediction) {
  std::size_t places = 0;
  prediction.logits_begin.clear();
  prediction.slot_of_row.clear();
  for (const SampleBlock& block : blocks) {
    prediction.logits_begin.push_back(places * kNumTags);
    places += block.tags.size();
    const std::size_t first = prediction.slot_of_row.size();
    prediction.slot_of_row.resize(first + block.rows());
    std::iota(prediction.slot_of_row.begin() + static_cast<std::ptrdiff_t>(first),
              prediction.slot_of_row.end(), 0u);
  }
  prediction.logits.resize(places * kNumTags);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SampleBlock& block = blocks[i];
    predict_rows(block.tags, block.rows(), block.length, step,
                 std::span(prediction.logits)
                     .subspan(prediction.logits_begin[i], block.tags.size() * kNumTags));
  }
}

}  // namespace diffie::diffusion
