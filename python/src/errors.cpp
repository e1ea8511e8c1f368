#include <exception>
#include <new>
#include <system_error>

#include "bind.h"
#include "diffie/error.h"

namespace diffie::python {
namespace {

// diffie/errors.py has a class for each code.
void set_error(ErrorCode code, const char* message) {
  const nb::object make = nb::module_::import_("diffie.errors").attr("from_code");
  const nb::object exception = make(to_string(code), message);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    set_error(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    set_error(ErrorCode::kExhausted, "out of memory");
  } catch (const std::system_error& error) {  // threads that the system refuses
    set_error(ErrorCode::kExhausted, error.what());
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace diffie::python
