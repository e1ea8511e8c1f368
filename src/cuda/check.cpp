#include "cuda/check.h"

#include <fmt/format.h>

#include <string_view>

#include "diffie/error.h"

namespace diffie::cuda {
namespace {

[[noreturn]] void fail(ErrorCode code, std::string_view call, std::string_view why) {
  throw Error(code, fmt::format("CUDA: {}: {}", call.substr(0, call.find('(')), why));
}

ErrorCode code_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return ErrorCode::kExhausted;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:  // another process has it to itself
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
      return ErrorCode::kUnsupported;
    default:
      return ErrorCode::kInternal;
  }
}

}  // namespace

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an allocation that failed is not to fail what comes next
  fail(code_of(status), call, cudaGetErrorString(status));
}

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const bool memory = status == CUBLAS_STATUS_ALLOC_FAILED;
  fail(memory ? ErrorCode::kExhausted : ErrorCode::kInternal, call,
       cublasLtGetStatusString(status));
}

}  // namespace diffie::cuda
