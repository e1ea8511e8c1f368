#include <exception>

#include "bind.h"
#include "diffie/error.h"

namespace diffie::python {
namespace {

// diffie/errors.py has a class for each code.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object make = nb::module_::import_("diffie.errors").attr("from_code");
    const nb::object exception = make(to_string(error.code()), error.what());
    PyErr_SetObject(exception.type().ptr(), exception.ptr());
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace diffie::python
