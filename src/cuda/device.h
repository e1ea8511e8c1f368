// Which GPU a thread's calls go to.
#pragma once

#include <functional>

namespace diffie::cuda {

// Compute capabilities: 75 is 7.5.
inline constexpr int kOldest = 75;
inline constexpr int kOldestWithBf16 = 80;  // code for older ones has no products of it
inline constexpr int kOldestWithFp8 = 89;   // whose products are cuBLASLt's, in code of its own

// Of a GPU, and of the code of this build that runs on it.
struct Capability {
  int of_gpu = 0;
  int of_code = 0;

  bool has_bf16() const { return of_gpu >= kOldestWithBf16 && of_code >= kOldestWithBf16; }
  bool has_fp8() const { return has_bf16() && of_gpu >= kOldestWithFp8; }
};
// The current GPU's.
Capability capability();

// From here on this thread's calls go to the GPU, by CUDA's number.
void use(int gpu);

// Runs `work` on a thread of its own, whose calls go to the GPU: the caller's thread, which may be
// a stranger's, keeps the one that it has. Throws what `work` throws.
void aside(int gpu, const std::function<void()>& work);

// The same for freeing, which does not fail.
void free_aside(int gpu, const std::function<void()>& free) noexcept;

// Throws kUnsupported where this build has no code for the current GPU.
void check_code();

}  // namespace diffie::cuda
