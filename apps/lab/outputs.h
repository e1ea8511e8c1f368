// What a command is to write, looked at before its work.
#pragma once

#include <filesystem>
#include <vector>

namespace diffie::cli {

// Throws kNotFound where it is plain that an output cannot be written; kInvalidArgument where it
// is one of the inputs, a file of a folder that is one, or another output. Names that are empty
// stand for nothing, "-" among the inputs for standard input. Pipes and devices may be both.
void check_outputs(const std::vector<std::filesystem::path>& outputs,
                   const std::vector<std::filesystem::path>& inputs);

}  // namespace diffie::cli
