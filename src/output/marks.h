#pragma once

#include <string>
#include <vector>

#include "diffie/extractor.h"

namespace diffie::output {

// For people: "not", "possible", "according to X", "time: in 1843"; nothing for what is asserted
// and has no circumstances.
std::vector<std::string> triple_marks(const Extraction& triple);

}  // namespace diffie::output
