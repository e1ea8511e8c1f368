// Arrow's structures in Python's capsules: the Arrow PyCapsule interface.
#pragma once

#include <functional>
#include <string>

#include "arrow/c_data.h"
#include "bind.h"

namespace diffie::python {

using FillSchema = std::function<void(ArrowSchema*)>;
using FillArray = std::function<void(ArrowArray*)>;

nb::object schema_capsule(const FillSchema& fill);
nb::object array_capsule(const FillArray& fill);

// A stream of record batches. `next` fills its argument, or leaves it without a release function:
// the end. Both may be called on any thread, without the GIL.
nb::object stream_capsule(FillSchema schema, FillArray next);

}  // namespace diffie::python
