#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace diffie::ops {

// A fixed-size array of floats on a 64-byte boundary, zeroed.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t count)
      : data_(static_cast<float*>(::operator new[](count * sizeof(float), kAlignment))),
        size_(count) {
    if (count > 0) std::memset(data_.get(), 0, count * sizeof(float));
  }

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* memory) const { ::operator delete[](memory, kAlignment); }
  };
  std::unique_ptr<float[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace diffie::ops
