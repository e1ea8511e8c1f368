#pragma once

#include "diffie/export.h"

namespace diffie {

// Of the library that runs, "major.minor.patch". The major number changes when callers must, the
// minor one when something is added.
DIFFIE_API const char* version() noexcept;

}  // namespace diffie
