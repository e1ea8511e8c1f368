#pragma once

#include <string>
#include <vector>

namespace diffie::cli {

// Runs a program without a shell, its standard output sent to our standard error, and waits. Throws
// kNotFound when it cannot be started or does not exit with 0.
void run_program(const std::vector<std::string>& arguments);

}  // namespace diffie::cli
