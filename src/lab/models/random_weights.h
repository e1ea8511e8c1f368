// Random initial weights, the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "model_dir/model_dir.h"

namespace diffie::lab {

// Values of one tensor: layer norms 1 and 0, biases 0, matrices nearly normal with a standard
// deviation of 0.02 (encoder) or sqrt(2 / (rows + cols)) (denoiser). A function of the seed and the
// tensor's name and shape alone: integers and exactly rounded operations only, no library's
// logarithm or normal distribution.
std::vector<float> random_weights(const model_dir::TensorSpec& spec, std::uint64_t seed);

}  // namespace diffie::lab
