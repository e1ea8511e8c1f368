// Every call of CUDA and cuBLASLt goes through DIFFIE_CUDA_CHECK.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>

namespace diffie::cuda {

// Throws kExhausted where memory is short, kUnsupported where there is no GPU to use, else
// kInternal.
void check(cudaError_t status, const char* call);
void check(cublasStatus_t status, const char* call);

}  // namespace diffie::cuda

#define DIFFIE_CUDA_CHECK(call) ::diffie::cuda::check((call), #call)
