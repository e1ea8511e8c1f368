#include "engine/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "diffie/error.h"
#include "diffie/extractor.h"
#include "engine/model_parts.h"
#ifdef DIFFIE_CUDA
#include "cuda/cuda_backend.h"
#endif

namespace diffie {
namespace {

constexpr std::int32_t kFirstGpu = 0;

#ifdef DIFFIE_CUDA
std::size_t num_gpus() { return cuda::num_gpus(); }
std::string cuda_problem(std::span<const std::int32_t> gpus) { return cuda::problem(gpus); }
#else
std::size_t num_gpus() { return 0; }
std::string cuda_problem(std::span<const std::int32_t>) {
  return "this diffie was built without CUDA (docs/gpu.md)";
}
#endif

void check_numbers(std::span<const std::int32_t> gpus) {
  const std::size_t there = num_gpus();
  if (there == 0) return;  // then that is the problem
  if (static_cast<std::size_t>(*std::max_element(gpus.begin(), gpus.end())) < there) return;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("devices is {}, must be below {}: there {} {} GPU{}", fmt::join(gpus, ","), there,
                  there == 1 ? "is" : "are", there, there == 1 ? "" : "s"));
}

}  // namespace

std::string device_problem(Device device) {
  return device == Device::kCuda ? cuda_problem({&kFirstGpu, 1}) : std::string();
}

namespace engine {
namespace {

Placement place_on_gpus(const ModelParts& model, Settings settings) {
  if (settings.devices.empty()) settings.devices = {kFirstGpu};
  check_numbers(settings.devices);
  const std::string problem = cuda_problem(settings.devices);
  if (!problem.empty()) throw Error(ErrorCode::kUnsupported, problem);
  settings.device = Device::kCuda;
  const model::Backend& backend = model.backend(settings.precision, settings.devices);
  return {std::move(settings), &backend};
}

Placement place_on_cpu(const ModelParts& model, Settings settings, std::string notice) {
  if (settings.precision == Precision::kFp8 || settings.precision == Precision::kFp16) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("precision is {}, which needs device cuda{}{}",
                            settings.precision == Precision::kFp8 ? "fp8" : "fp16",
                            notice.empty() ? "" : "; ", notice));
  }
  settings.device = Device::kCpu;
  settings.devices.clear();
  const model::Backend& backend = model.backend(settings.precision);
  return {std::move(settings), &backend, std::move(notice)};
}

}  // namespace

Placement place(const ModelParts& model, const Settings& settings) {
  if (settings.device == Device::kCpu) return place_on_cpu(model, settings, {});
  try {
    return place_on_gpus(model, settings);
  } catch (const Error& error) {
    const bool is_gpus =
        error.code() == ErrorCode::kUnsupported || error.code() == ErrorCode::kExhausted;
    if (!is_gpus) throw;
    if (settings.device == Device::kAuto)
      return place_on_cpu(model, settings, fmt::format("on the CPU: {}", error.what()));
    throw Error(error.code(), fmt::format("device is cuda: {}", error.what()));
  }
}

std::unique_ptr<const model::Backend> make_gpu_backend(
    [[maybe_unused]] const model_dir::ModelDir& dir, [[maybe_unused]] Precision precision,
    [[maybe_unused]] std::int32_t gpu) {
#ifdef DIFFIE_CUDA
  return cuda::make_backend(dir, precision, gpu);
#else
  throw Error(ErrorCode::kUnsupported, cuda_problem({}));
#endif
}

}  // namespace engine
}  // namespace diffie
