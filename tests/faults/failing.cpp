#include "faults/failing.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace diffie::test {
namespace {

constexpr std::int64_t kNever = INT64_MAX;

// Counts down; what finds 0 fails.
struct Fuse {
  std::atomic<std::int64_t> left{kNever};
  std::atomic<bool> lasting{false};
  std::atomic<bool> blown{false};

  void set(std::size_t k, bool forever) {
    blown = false;
    lasting = forever;
    left = static_cast<std::int64_t>(k);
  }
  void clear() { left = kNever; }
  bool fails() {
    if (left.load(std::memory_order_relaxed) == kNever) return false;
    const std::int64_t before = left.fetch_sub(1);
    const bool now = before == 0 || (before < 0 && lasting);
    if (now) blown = true;
    return now;
  }
};

Fuse allocations, threads;

}  // namespace

FailingAllocation::FailingAllocation(std::size_t k, bool lasting) : k_(k) {
  allocations.set(k, lasting);
}
FailingAllocation::~FailingAllocation() { allocations.clear(); }
bool FailingAllocation::happened() const { return allocations.blown; }
std::size_t FailingAllocation::calls() const {
  return k_ - static_cast<std::size_t>(allocations.left);
}

FailingThread::FailingThread(std::size_t k) { threads.set(k, false); }
FailingThread::~FailingThread() { threads.clear(); }
bool FailingThread::happened() const { return threads.blown; }

static void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations.fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace diffie::test

using diffie::test::allocate;
using diffie::test::allocate_or_throw;

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (diffie::test::threads.fails()) return EAGAIN;
  return real(thread, attributes, start, argument);
}
