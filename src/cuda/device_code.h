#pragma once

#include <cuda_runtime_api.h>

namespace diffie::cuda {

// Loads this build's code onto the current GPU: cudaErrorNoKernelImageForDevice where there is none
// for it.
cudaError_t load_code();

}  // namespace diffie::cuda
