#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffie/stage_times.h"
#include "diffusion/predictor.h"
#include "io/model_config.h"
#include "model/denoiser.h"

namespace diffie::engine {

// The denoiser on one sentence, as samplers ask for it. Rows with equal states are computed once:
// late in the chain most rows of a sentence have fallen together, and a row's logits do not depend
// on its neighbours, so nothing changes but the time.
class DenoiserPredictor final : public diffusion::Predictor {
 public:
  // projected [length, hidden]: the sentence's projected context. Borrowed, like the others. Rows
  // and the time spent here are added to `times`.
  DenoiserPredictor(const model::Denoiser& denoiser, const io::ModelConfig& config,
                    std::span<const float> projected, model::Workspace& workspace,
                    StageTimes& times)
      : denoiser_(denoiser),
        config_(config),
        projected_(projected),
        workspace_(workspace),
        times_(times) {}

  void predict(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
               std::int32_t step, std::span<float> logits) override;

 private:
  // Fills unique_states_ and slot_of_row_; returns how many rows differ.
  std::size_t find_distinct_rows(std::span<const std::uint8_t> states, std::size_t rows,
                                 std::size_t length);

  const model::Denoiser& denoiser_;
  const io::ModelConfig& config_;
  std::span<const float> projected_;
  model::Workspace& workspace_;
  StageTimes& times_;
  std::vector<std::uint8_t> distinct_states_;
  std::vector<std::uint32_t> slot_of_row_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> context_begin_;
  std::vector<float> distinct_logits_;
};

}  // namespace diffie::engine
