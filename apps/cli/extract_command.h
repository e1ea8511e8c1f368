#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie extract [FILES|-]: triples from text.
Command add_extract_command(CLI::App& app);

}  // namespace diffie::cli
