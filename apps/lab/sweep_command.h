#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie sweep: many settings scored from one pool of samples.
Command add_sweep_command(CLI::App& app);

}  // namespace diffie::cli
