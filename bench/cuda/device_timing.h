// Time on the GPU itself, and data to be worked on.
#pragma once

#include <cuda_bf16.h>

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "cuda/convert.h"
#include "cuda/memory.h"

namespace diffie::cuda {

// Microseconds of one call, the median over many replays of a CUDA graph of calls back to back: so
// the host's own time for starting kernels does not count. Call i gets i modulo `copies`.
double median_us(const Stream& stream, std::size_t copies,
                 const std::function<void(std::size_t copy)>& call);

// How many copies of what a call touches are more than the GPU's second-level cache holds.
std::size_t copies_beyond_cache(double bytes_of_a_call);

// Normally distributed numbers. Zeros, or numbers that repeat, would cost less power than real ones
// and so let the GPU run faster.
class RandomData {
 public:
  RandomData();

  std::vector<float> floats(std::size_t count, float scale = 1);
  DeviceArray<Bf16> bf16(std::size_t count);

 private:
  std::vector<float> pool_;
  DeviceArray<Bf16> device_pool_;
  std::size_t next_ = 0;
};

}  // namespace diffie::cuda
