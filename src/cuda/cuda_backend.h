// The networks on a GPU. No type of CUDA is seen from here.
#pragma once

#include <memory>
#include <string>

#include "model/backend.h"
#include "model/precision.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

// Empty: there is a GPU that can be used; else one line that says what is missing.
std::string problem();

// kFp32 computes in fp32, everything else in bf16 with fp32 sums. Throws kUnsupported for a model
// whose sizes do not fit the kernels.
std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir,
                                                   model::Precision precision);

}  // namespace diffie::cuda
