// The networks on a GPU. No type of CUDA is seen from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "model/backend.h"
#include "model/precision.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

// 0: none, or none that CUDA could be asked about.
std::size_t num_gpus();

inline constexpr std::int32_t kFirstGpu[] = {0};

// Empty: these GPUs can be used; else one line that says what is missing. Where there are any, each
// number is below num_gpus().
std::string problem(std::span<const std::int32_t> gpus = kFirstGpu);

// kFp32 computes in fp32, kFp16 in fp16, kInt8 in bf16 (in fp16 on a GPU that has none), kFp8 so
// too but for the denoiser's products; sums are fp32. Throws kUnsupported for a model whose sizes
// or weights do not fit the kernels and a GPU that this build has no code for, kExhausted where the
// GPU is full.
std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir,
                                                   model::Precision precision,
                                                   std::int32_t gpu = 0);

}  // namespace diffie::cuda
