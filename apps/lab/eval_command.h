#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie eval: a model's presets on CaRB dev, with their speed and the goals.
Command add_eval_command(CLI::App& app);

}  // namespace diffie::cli
