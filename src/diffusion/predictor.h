// What a sampler asks of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace diffie::diffusion {

inline constexpr int kNumTags = 4;        // B, S, R, O
inline constexpr std::uint8_t kMask = 4;  // absorbing state

// Trajectories of one sentence that are sampled together.
struct SampleBlock {
  std::uint64_t key = 0;               // sentence_key (sampler.h)
  std::uint64_t first_trajectory = 0;  // the first row's
  std::size_t length = 0;              // tokens of the sentence, at least 1
  std::span<std::uint8_t> tags;  // [rows, length]: the states under way, in the end the result

  std::size_t rows() const { return tags.size() / length; }
};

// Logits of y_0 for the rows of several blocks; rows with equal states may share theirs. Belongs to
// one caller and is used again from step to step.
struct Prediction {
  std::vector<float> logits;               // [slots, length of the slot's block, 4]
  std::vector<std::size_t> logits_begin;   // of each block's slots in `logits`
  std::vector<std::uint32_t> slot_of_row;  // of all blocks' rows, counted from the block's first
};

// The engine asks the denoiser about the rows of several sentences at once, the trainer its
// LibTorch model, tests small exact models.
class Predictor {
 public:
  virtual ~Predictor() = default;
  // For the blocks' states at step t (1..T).
  virtual void predict(std::span<const SampleBlock> blocks, std::int32_t step,
                       Prediction& prediction) = 0;
};

// A model that is asked about one block at a time and answers row by row.
class RowPredictor : public Predictor {
 public:
  void predict(std::span<const SampleBlock> blocks, std::int32_t step,
               Prediction& prediction) final;

 protected:
  // states [rows * length] at step t -> logits [rows * length, 4].
  virtual void predict_rows(std::span<const std::uint8_t> states, std::size_t rows,
                            std::size_t length, std::int32_t step, std::span<float> logits) = 0;
};

}  // namespace diffie::diffusion
