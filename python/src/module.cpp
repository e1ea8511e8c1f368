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

// What nanobind knows is of one interpreter; a second one would take it away from the first, so it
// is refused before nanobind sees it.
static int fill_in_first_interpreter(PyObject* module) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError,
                    "diffie cannot be used in a second interpreter of a process");
    return -1;
  }
  return nanobind__core_of_one_exec(module);
}

extern "C" NB_EXPORT PyObject* PyInit__core() {
  PyObject* definition = PyInit__core_of_one();
  if (definition == nullptr) return nullptr;
  auto* slot = reinterpret_cast<PyModuleDef*>(definition)->m_slots;
  while (slot->slot != Py_mod_exec) ++slot;
  slot->value = reinterpret_cast<void*>(&fill_in_first_interpreter);
  return definition;
}
