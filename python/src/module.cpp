#include "bind.h"
#include "diffie/version.h"
#include "without_gil.h"

NB_MODULE(_core, module) {
  // Readings may be alive in suspended generators when Python ends.
  nanobind::set_leak_warnings(false);
  diffie::python::wait_when_python_ends();
  module.attr("version") = diffie::version();
  diffie::python::bind_errors(module);
  diffie::python::bind_reading(module);
  diffie::python::bind_engine(module);
  diffie::python::bind_tables(module);
}
