#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie rank: train the ranker of the learned selector.
Command add_rank_command(CLI::App& app);

}  // namespace diffie::cli
