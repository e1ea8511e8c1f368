#include "train/backend.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <cstdlib>

#include "diffie/error.h"
#include "train/run.h"

namespace diffie::train {

void prepare_backend(bool deterministic) {
  // cuBLAS picks its work space by this; without it results may differ from run to run.
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  at::Context& context = at::globalContext();
  // Not warn_only: the fused attention is deterministic only where anything else is refused.
  context.setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
  context.setAllowTF32CuBLAS(true);
#if DIFFIE_TORCH2
  context.setDeterministicFillUninitializedMemory(false);
  context.setSDPUseCuDNN(false);
#endif
}

torch::Device choose_device(const std::string& name) {
  const bool available = torch::cuda::is_available();
  if (name == "cpu" || (name == "auto" && !available)) return torch::kCPU;
  if (name != "cuda" && name != "auto") {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("device '{}' found, auto, cpu or cuda is wanted", name));
  }
  if (!available) throw Error(ErrorCode::kUnsupported, "there is no CUDA device here");
  return torch::Device(torch::kCUDA, 0);
}

std::string describe_device(const std::string& device) {
  return choose_device(device).is_cuda() ? "cuda" : "cpu";
}

}  // namespace diffie::train
