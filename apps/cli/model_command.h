#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie model inspect | verify | init | convert
Command add_model_command(CLI::App& app);

}  // namespace diffie::cli
