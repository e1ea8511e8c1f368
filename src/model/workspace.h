#pragma once

#include <cstddef>
#include <vector>

namespace diffie::model {

// Slots below this one are the encoder's and the denoiser's; callers may use those from here on.
inline constexpr std::size_t kFirstFreeSlot = 16;

// Scratch memory of one worker: named slots that grow to the largest batch seen and are then
// reused. Not thread-safe; one per worker.
class Workspace {
 public:
  // At least `count` floats, 64-byte aligned, contents undefined; valid until the same slot is
  // asked for more.
  float* floats(std::size_t slot, std::size_t count);

  std::size_t bytes() const;

 private:
  struct Slot {
    std::vector<float> memory;
    float* aligned = nullptr;
    std::size_t capacity = 0;
  };
  std::vector<Slot> slots_;
};

}  // namespace diffie::model
