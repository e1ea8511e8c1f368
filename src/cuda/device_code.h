#pragma once

#include <cuda_runtime_api.h>

namespace diffie::cuda {

// Loads this build's code onto the current GPU: cudaErrorNoKernelImageForDevice where there is none
// for it. capability: that which it was compiled for, 75 is 7.5.
cudaError_t load_code(int& capability);

}  // namespace diffie::cuda
