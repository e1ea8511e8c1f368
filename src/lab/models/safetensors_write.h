#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "model_dir/safetensors.h"

namespace diffie::lab {

// Writes to a temporary beside `path` and renames, so a reader never sees half a file. Tensors are
// laid out in the given order, the header padded so that data starts at a multiple of 64.
void write_safetensors(const std::filesystem::path& path,
                       std::span<const model_dir::TensorView> tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace diffie::lab
