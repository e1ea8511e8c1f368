#include "model/workspace.h"

#include <cstdint>

namespace diffie::model {

namespace {
constexpr std::size_t kAlignment = 64;
}

float* Workspace::floats(std::size_t slot, std::size_t count) {
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  Slot& s = slots_[slot];
  if (s.aligned == nullptr || count > s.capacity) {
    s.memory = {};  // first free, then allocate: never both
    s.memory.resize(count + kAlignment / sizeof(float));
    const auto address = reinterpret_cast<std::uintptr_t>(s.memory.data());
    const std::uintptr_t skip = (kAlignment - address % kAlignment) % kAlignment;
    s.aligned = s.memory.data() + skip / sizeof(float);
    s.capacity = count;
  }
  return s.aligned;
}

std::size_t Workspace::bytes() const {
  std::size_t total = 0;
  for (const Slot& slot : slots_) total += slot.memory.size() * sizeof(float);
  return total;
}

}  // namespace diffie::model
