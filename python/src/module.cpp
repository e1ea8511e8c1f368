#include "bind.h"
#include "diffie/version.h"
#include "without_gil.h"

NB_MODULE(_core_of_one, module) {
  // Readings may be alive in suspended generators when Python ends.
  nanobind::set_leak_warnings(false);
  diffie::python::wait_when_python_ends();
  module.attr("version") = diffie::version();
  diffie::python::bind_errors(module);
  diffie::python::bind_reading(module);
  diffie::python::bind_engine(module);
  diffie::python::bind_tables(module);
}

// What nanobind knows is of one interpreter; a second one takes it away from the first.
extern "C" NB_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError,
                    "diffie cannot be used in a second interpreter of a process");
    return nullptr;
  }
  return PyInit__core_of_one();
}
