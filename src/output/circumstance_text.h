#pragma once

#include <string>

#include "diffie/extractor.h"

namespace diffie::output {

// The circumstances of one kind, each on one line, with semicolons between and none inside.
std::string circumstance_text(const Extraction& triple, CircumstanceKind kind);

}  // namespace diffie::output
