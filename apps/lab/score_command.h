#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie score MEASURE --gold FILE --pred FILE...: scores, spread, significance, reasons, a
// picture.
Command add_score_command(CLI::App& app);

}  // namespace diffie::cli
