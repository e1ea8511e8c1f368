#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie data align|build|report: reads, aligns, packs and audits training data.
Command add_data_command(CLI::App& app);

}  // namespace diffie::cli
