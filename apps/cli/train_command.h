#pragma once

#include "commands.h"

namespace diffie::cli {

// diffie train ARGS: hands over to diffie-train, which links LibTorch and is built apart.
Command add_train_command(CLI::App& app);

}  // namespace diffie::cli
