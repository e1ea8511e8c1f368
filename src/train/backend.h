#pragma once

#include <string>

#include "train/torch.h"

namespace diffie::train {

// Deterministic kernels if asked for, TF32 for what stays in fp32, no attention kernels that are
// planned anew for every shape. Call before the first tensor goes to the GPU; safe to call again.
void prepare_backend(bool deterministic);

// auto: the GPU where there is one. Throws kInvalidArgument for an unknown name, kUnsupported when
// there is no GPU.
torch::Device choose_device(const std::string& name);

}  // namespace diffie::train
