#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie tokenize [FILES|-]: one JSON object per line with ids, pieces and byte offsets.
Command add_tokenize_command(CLI::App& app);

}  // namespace diffie::cli
