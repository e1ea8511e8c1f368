#pragma once

#include <filesystem>
#include <string>

#include "diffie/settings.h"
#include "input.h"

namespace diffie::cli {

// What the results of a run depend on, a line each: version and kernels, the model's files,
// settings, names and sizes of the inputs and how they are read.
std::string describe_run(const std::filesystem::path& model, const Settings& settings,
                         const InputOptions& input);

}  // namespace diffie::cli
