#pragma once

#include "commands.h"

namespace diffie::cli {

// The part of `diffie model` that writes: init, convert.
Command add_make_model_command(CLI::App& app);

}  // namespace diffie::cli
