#include "engine/device.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "diffie/error.h"
#include "diffie/extractor.h"
#include "model/cpu_backend.h"
#ifdef DIFFIE_CUDA
#include "cuda/cuda_backend.h"
#endif

namespace diffie {
namespace {

std::string cuda_problem() {
#ifdef DIFFIE_CUDA
  return cuda::problem();
#else
  return "this diffie was built without CUDA (docs/gpu.md)";
#endif
}

}  // namespace

std::string device_problem(Device device) {
  return device == Device::kCuda ? cuda_problem() : std::string();
}

namespace engine {

Device resolve(Device wanted) {
  if (wanted == Device::kCpu) return Device::kCpu;
  const std::string problem = cuda_problem();
  if (problem.empty()) return Device::kCuda;
  if (wanted == Device::kAuto) return Device::kCpu;
  throw Error(ErrorCode::kUnsupported, fmt::format("device is cuda: {}", problem));
}

std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir, Device device,
                                                   Precision precision) {
  DIFFIE_ASSERT(device != Device::kAuto);
#ifdef DIFFIE_CUDA
  if (device == Device::kCuda) return cuda::make_backend(dir, precision);
#endif
  return std::make_unique<const model::CpuBackend>(dir, precision);
}

}  // namespace engine
}  // namespace diffie
