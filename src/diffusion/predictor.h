#pragma once

#include <cstdint>
#include <span>

namespace diffie::diffusion {

inline constexpr int kNumTags = 4;        // B, S, R, O
inline constexpr std::uint8_t kMask = 4;  // absorbing state

// What Sampler::sample asks of a model: logits of y_0 for a block of tag rows of one sentence. The
// trainer wraps its model in it, tests pass small exact ones. The engine asks about several
// sentences at once and takes the sampler in parts instead (Sampler::start, Sampler::jump).
class Predictor {
 public:
  virtual ~Predictor() = default;
  // states [rows * length] at step t (1..T) -> logits [rows * length, 4].
  virtual void predict(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                       std::int32_t step, std::span<float> logits) = 0;
};

}  // namespace diffie::diffusion
