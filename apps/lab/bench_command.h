#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie bench: speed, latency, memory and, beside them, quality of presets.
Command add_bench_command(CLI::App& app);

}  // namespace diffie::cli
