// Which GPU a thread's calls go to.
#pragma once

#include <functional>

namespace diffie::cuda {

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
