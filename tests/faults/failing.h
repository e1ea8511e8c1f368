// Memory and threads that fail on demand: this program's own operator new and pthread_create.
#pragma once

#include <cstddef>

namespace diffie::test {

// While it lives, the k-th call from now (from 0) fails, of all threads together; `lasting`: and
// every later one.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t k, bool lasting = false);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();
  bool happened() const;
  std::size_t calls() const;  // so far

 private:
  const std::size_t k_;
};

class FailingThread {
 public:
  explicit FailingThread(std::size_t k);
  FailingThread(const FailingThread&) = delete;
  FailingThread& operator=(const FailingThread&) = delete;
  ~FailingThread();
  bool happened() const;
};

}  // namespace diffie::test
