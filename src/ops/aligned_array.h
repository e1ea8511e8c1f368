#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace diffie::ops {

// A fixed-size array of numbers on a 64-byte boundary, zeroed.
template <typename T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t count)
      : data_(static_cast<T*>(::operator new[](count * sizeof(T), kAlignment))), size_(count) {
    if (count > 0) std::memset(data_.get(), 0, count * sizeof(T));
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* memory) const { ::operator delete[](memory, kAlignment); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace diffie::ops
