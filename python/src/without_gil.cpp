#include "without_gil.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>

namespace diffie::python {
namespace {

std::atomic<int> num_computing = 0;

std::stop_source& ending() {
  static std::stop_source source;
  return source;
}

void wait_for_all() {
  ending().request_stop();
  for (int left = num_computing; left > 0; left = num_computing) num_computing.wait(left);
}

}  // namespace

Computing computing() {
  ++num_computing;
  return {nullptr, [](std::nullptr_t) {
            --num_computing;
            num_computing.notify_all();
          }};
}

std::stop_token python_ends() { return ending().get_token(); }

void wait_when_python_ends() {
  ending();
  ::pthread_atfork(nullptr, nullptr, [] { num_computing = 0; });  // the parent's threads
  Py_AtExit(&wait_for_all);
}

WithoutGil::WithoutGil() : computing_(computing()), state_(PyEval_SaveThread()) {}

WithoutGil::~WithoutGil() {
  computing_.reset();
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    while (true) ::pause();
  }
}

}  // namespace diffie::python
