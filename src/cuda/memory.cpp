#include "cuda/memory.h"

#include <fmt/format.h>

#include <atomic>

#include "diffie/error.h"

namespace diffie::cuda {
namespace {

std::atomic<std::size_t> held = 0;
std::atomic<std::size_t> limit = 0;

double megabytes(std::size_t bytes) { return static_cast<double>(bytes) / 1e6; }

[[noreturn]] void fail_device(std::size_t bytes) {
  int device = 0;
  std::size_t free = 0, total = 0;
  cudaGetDevice(&device);
  cudaMemGetInfo(&free, &total);
  throw Error(
      ErrorCode::kExhausted,
      fmt::format("CUDA: out of memory: {:.1f} MB wanted, {:.1f} of {:.0f} MB free on GPU {}",
                  megabytes(bytes), megabytes(free), megabytes(total), device));
}

bool is_allowed(std::size_t bytes) {
  const std::size_t most = limit;
  return most == 0 || held + bytes <= most;
}

}  // namespace

std::size_t device_bytes() { return held; }
void limit_device_bytes(std::size_t most) { limit = most; }

void* OnDevice::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status =
      is_allowed(bytes) ? cudaMalloc(&memory, bytes) : cudaErrorMemoryAllocation;
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // is not to fail what comes next
    fail_device(bytes);
  }
  check(status, "cudaMalloc");
  held += bytes;
  return memory;
}

void OnDevice::free(void* memory, std::size_t bytes) {
  cudaFree(memory);
  held -= bytes;
}

void* Pinned::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMallocHost(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Error(ErrorCode::kExhausted,
                fmt::format("CUDA: out of memory: {:.1f} MB of pinned memory wanted on the host",
                            megabytes(bytes)));
  }
  check(status, "cudaMallocHost");
  return memory;
}

void Pinned::free(void* memory, std::size_t) { cudaFreeHost(memory); }

}  // namespace diffie::cuda
