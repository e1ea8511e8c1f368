#include "engine/denoiser_predictor.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/stage_clock.h"

namespace diffie::engine {

std::size_t DenoiserPredictor::find_distinct_rows(std::span<const std::uint8_t> states,
                                                  std::size_t rows, std::size_t length) {
  std::unordered_map<std::string_view, std::uint32_t> slot_of_states;
  slot_of_states.reserve(rows);
  slot_of_row_.resize(rows);
  distinct_states_.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto row_states = states.subspan(row * length, length);
    const std::string_view key(reinterpret_cast<const char*>(row_states.data()), length);
    const auto [found, is_new] =
        slot_of_states.try_emplace(key, static_cast<std::uint32_t>(slot_of_states.size()));
    if (is_new) {
      distinct_states_.insert(distinct_states_.end(), row_states.begin(), row_states.end());
    }
    slot_of_row_[row] = found->second;
  }
  return slot_of_states.size();
}

void DenoiserPredictor::predict(std::span<const std::uint8_t> states, std::size_t rows,
                                std::size_t length, std::int32_t step, std::span<float> logits) {
  const StageClock clock(times_.denoise_s);
  const std::size_t distinct = find_distinct_rows(states, rows, length);
  times_.rows += rows;
  times_.rows_computed += distinct;
  times_.row_pieces += distinct * length;
  times_.denoise_flop += static_cast<double>(distinct) * denoiser_flop(config_, length);
  offsets_.resize(distinct + 1);
  for (std::size_t slot = 0; slot <= distinct; ++slot) {
    offsets_[slot] = static_cast<std::uint32_t>(slot * length);
  }
  context_begin_.assign(distinct, 0);
  const std::size_t row_logits = length * diffusion::kNumTags;
  distinct_logits_.resize(distinct * row_logits);
  denoiser_.forward(projected_, {offsets_, context_begin_}, distinct_states_, step,
                    distinct_logits_, workspace_);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(distinct_logits_.data() + slot_of_row_[row] * row_logits, row_logits,
                logits.data() + row * row_logits);
  }
}

}  // namespace diffie::engine
