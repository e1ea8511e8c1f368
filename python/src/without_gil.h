// What computes without Python's lock, and the end of Python: it waits until nobody does, as what
// the library keeps is taken down behind it, also under daemon threads.
#pragma once

#include <memory>
#include <stop_token>

#include "bind.h"

namespace diffie::python {

// Whoever has one computes.
using Computing = std::shared_ptr<void>;
Computing computing();

// A stop is asked for when Python ends.
std::stop_token python_ends();

// Before there is the first of the others.
void wait_when_python_ends();

// Gives the lock up for a while. A daemon thread that asks for it again when Python has ended is
// ended by Python (before 3.14) by unwinding its stack, which would end the process, as destructors
// let nothing through: the thread sleeps until the process ends.
class WithoutGil {
 public:
  WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil();

 private:
  Computing computing_;
  PyThreadState* state_;
};

}  // namespace diffie::python
