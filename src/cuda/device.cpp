#include "cuda/device.h"

#include <fmt/format.h>

#include <exception>
#include <system_error>
#include <thread>

#include "cuda/check.h"
#include "cuda/cuda_backend.h"
#include "cuda/device_code.h"
#include "diffie/error.h"

namespace diffie::cuda {
namespace {

// 12040 is CUDA 12.4.
std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

// Of a program that finds no GPU.
std::string reason(cudaError_t status) {
  if (status == cudaErrorNoDevice) return "the NVIDIA driver finds no GPU";
  if (status != cudaErrorInsufficientDriver) return cudaGetErrorString(status);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return "there is no NVIDIA driver";
  return fmt::format("the NVIDIA driver is for CUDA {}, this diffie needs one for CUDA {}",
                     version_text(driver), version_text(CUDART_VERSION));
}

std::string describe(int gpu) {
  cudaDeviceProp properties{};
  DIFFIE_CUDA_CHECK(cudaGetDeviceProperties(&properties, gpu));
  return fmt::format("GPU {} ({}) has compute capability {}.{}", gpu, properties.name,
                     properties.major, properties.minor);
}

int capability_of(int gpu) {
  int major = 0, minor = 0;
  DIFFIE_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu));
  DIFFIE_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu));
  return 10 * major + minor;
}

}  // namespace

Capability capability() {
  int gpu = 0;
  DIFFIE_CUDA_CHECK(cudaGetDevice(&gpu));
  Capability result{.of_gpu = capability_of(gpu)};
  DIFFIE_CUDA_CHECK(load_code(result.of_code));
  return result;
}

std::size_t num_gpus() {
  int gpus = 0;
  const cudaError_t status = cudaGetDeviceCount(&gpus);
  cudaGetLastError();
  return status == cudaSuccess ? static_cast<std::size_t>(gpus) : 0;
}

std::string problem(std::span<const std::int32_t> gpus) {
  int there = 0;
  const cudaError_t status = cudaGetDeviceCount(&there);
  cudaGetLastError();
  if (status != cudaSuccess) return reason(status);
  if (there == 0) return reason(cudaErrorNoDevice);
  for (const int gpu : gpus) {
    if (capability_of(gpu) < kOldest)
      return fmt::format("{}, wanted {}.{}", describe(gpu), kOldest / 10, kOldest % 10);
  }
  return {};
}

void use(int gpu) { DIFFIE_CUDA_CHECK(cudaSetDevice(gpu)); }

void aside(int gpu, const std::function<void()>& work) {
  std::exception_ptr problem;
  const auto run = [&] {
    try {
      use(gpu);
      work();
    } catch (...) {
      problem = std::current_exception();
    }
  };
  try {
    std::thread(run).join();
  } catch (const std::system_error&) {
    throw Error(ErrorCode::kExhausted, "the system gives no more threads");
  }
  if (problem) std::rethrow_exception(problem);
}

void free_aside(int gpu, const std::function<void()>& free) noexcept {
  try {
    std::thread([&] {
      cudaSetDevice(gpu);
      free();
    }).join();
  } catch (const std::system_error&) {  // no thread to be had
    cudaSetDevice(gpu);
    free();
  }
}

void check_code() {
  int of_code = 0;
  const cudaError_t status = load_code(of_code);
  if (status == cudaErrorNoKernelImageForDevice) {
    cudaGetLastError();
    int gpu = 0;
    DIFFIE_CUDA_CHECK(cudaGetDevice(&gpu));
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}, this diffie was built for CMAKE_CUDA_ARCHITECTURES={}",
                            describe(gpu), DIFFIE_CUDA_ARCHITECTURES));
  }
  check(status, "cudaFuncGetAttributes");
}

}  // namespace diffie::cuda
