// Memory of the GPU and pinned memory of the host, streams and events: each is freed by its owner.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

#include "base/assert.h"
#include "cuda/check.h"

namespace diffie::cuda {

// Memory of the current GPU, and pinned memory of the host. Throw kExhausted, saying how much was
// wanted and how much there is.
struct OnDevice {
  static void* allocate(std::size_t bytes);
  static void free(void* memory, std::size_t bytes);
};
struct Pinned {
  static void* allocate(std::size_t bytes);
  static void free(void* memory, std::size_t bytes);
};

// What the arrays hold of GPUs, all of them together; from `most` on allocating fails as it does on
// a full card. For tests; 0: no limit.
std::size_t device_bytes();
void limit_device_bytes(std::size_t most);

template <typename Memory>
struct Free {
  std::size_t bytes = 0;
  void operator()(void* memory) const { Memory::free(memory, bytes); }
};

// Grows to the largest size that was asked for and is then used again.
template <typename T, typename Memory>
class Array {
 public:
  // Contents are undefined. Where there is no memory the array is left empty.
  T* room(std::size_t count) {
    if (count <= capacity_) return memory_.get();
    memory_.reset();  // first free, then allocate: never both
    capacity_ = 0;
    const std::size_t wanted = count + count / 8;
    const std::size_t bytes = wanted * sizeof(T);
    memory_ = Owner(static_cast<T*>(Memory::allocate(bytes)), Free<Memory>{bytes});
    capacity_ = wanted;
    return memory_.get();
  }

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }

 private:
  using Owner = std::unique_ptr<T, Free<Memory>>;
  Owner memory_;
  std::size_t capacity_ = 0;
};

template <typename T>
using DeviceArray = Array<T, OnDevice>;
template <typename T>
using PinnedArray = Array<T, Pinned>;

// Room for values of one type or another.
class DeviceRoom {
 public:
  template <typename T>
  T* room(std::size_t count) {
    return reinterpret_cast<T*>(bytes_.room(count * sizeof(T)));
  }

 private:
  DeviceArray<std::byte> bytes_;
};

// Values that are made once and only read.
template <typename T>
DeviceArray<T> to_device(std::span<const T> values) {
  DeviceArray<T> array;
  DIFFIE_CUDA_CHECK(cudaMemcpy(array.room(values.size()), values.data(), values.size_bytes(),
                               cudaMemcpyHostToDevice));
  return array;
}

// What runs in order. A thread that waits for it sleeps: there are others with work.
class Stream {
 public:
  Stream() {
    DIFFIE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    DIFFIE_CUDA_CHECK(
        cudaEventCreateWithFlags(&done_, cudaEventBlockingSync | cudaEventDisableTiming));
  }
  ~Stream() {
    cudaEventDestroy(done_);
    cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }

  void wait() {
    DIFFIE_CUDA_CHECK(cudaEventRecord(done_, stream_));
    DIFFIE_CUDA_CHECK(cudaEventSynchronize(done_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

// Arrays of the host that go to the GPU in one copy.
class Upload {
 public:
  // Room for arrays of so many bytes together.
  void begin(std::size_t bytes, std::size_t arrays) {
    const std::size_t room = bytes + arrays * kAlignment;
    pinned_.room(room);
    device_.room(room);
    used_ = 0;
  }

  // A place to write to until send(), and where it will be on the GPU.
  template <typename T>
  struct Place {
    T* host;
    T* device;
  };
  template <typename T>
  Place<T> place(std::size_t count) {
    const std::size_t at = used_;
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return {reinterpret_cast<T*>(pinned_.data() + at), reinterpret_cast<T*>(device_.data() + at)};
  }
  template <typename T>
  const T* add(std::span<const T> values) {
    const Place<T> at = place<T>(values.size());
    if (!values.empty()) std::memcpy(at.host, values.data(), values.size_bytes());
    return at.device;
  }

  void send(const Stream& stream) {
    DIFFIE_CUDA_CHECK(cudaMemcpyAsync(device_.data(), pinned_.data(), used_, cudaMemcpyHostToDevice,
                                      stream.get()));
  }

 private:
  static constexpr std::size_t kAlignment = 256;
  PinnedArray<std::byte> pinned_;
  DeviceArray<std::byte> device_;
  std::size_t used_ = 0;
};

}  // namespace diffie::cuda
