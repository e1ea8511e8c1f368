#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "diffusion/predictor.h"
#include "engine/row_index.h"
#include "engine/stage_clock.h"
#include "model/backend.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

// Asks the denoiser about the rows of several sentences at once, so that a call has many of them
// even where a sentence has few. Rows of a block with equal states are computed once; neither this
// nor the company changes a bit of a row. Holds scratch memory: one per worker.
class DenoiserPredictor final : public diffusion::Predictor {
 public:
  // The runner must outlive this.
  DenoiserPredictor(model::Runner& runner, const model_dir::ModelConfig& config)
      : runner_(runner), config_(config) {}

  // What the rows of the next calls are about; borrowed until then.
  struct Context {
    const model::Context* encoded = nullptr;     // all sentences
    std::span<const std::uint32_t> first_token;  // of each block's sentence among them
    std::stop_token stop;                        // asked for: predict() throws kCancelled
  };
  void set_context(const Context& context) { context_ = context; }

  // Rows and time are added to `times`.
  void count_into(TaskTimes& times) { times_ = &times; }

  void predict(std::span<const diffusion::SampleBlock> blocks, std::int32_t step,
               diffusion::Prediction& prediction) override;

 private:
  void find_distinct_rows(std::span<const diffusion::SampleBlock> blocks,
                          diffusion::Prediction& prediction);

  model::Runner& runner_;
  const model_dir::ModelConfig& config_;
  Context context_;
  TaskTimes* times_ = nullptr;
  RowIndex row_index_;
  // One entry per distinct row of a call, and the states of all of them.
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> context_begin_;
  std::vector<std::uint8_t> states_;
};

}  // namespace diffie::engine
