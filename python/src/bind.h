// What the module is put together from.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace diffie::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_reading(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_tables(nb::module_& module);

}  // namespace diffie::python
