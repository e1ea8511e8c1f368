// What a row of anchored decoding says (diffusion/anchored_decoder.h), as training draws it.
#pragma once

#include "train/torch.h"

namespace diffie::train {

// Stages drawn for rows [rows]: each as often as another, the first two that decoding asks for
// twice as often.
torch::Tensor draw_stages(std::int64_t rows, const torch::TensorOptions& options);

// y0 [rows, length], stages [rows] -> y0 where the stage tells it, the mask elsewhere.
torch::Tensor mask_by_stage(const torch::Tensor& y0, const torch::Tensor& stages);

}  // namespace diffie::train
