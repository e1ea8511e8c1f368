#pragma once

#include <filesystem>

namespace diffie::cli {

// A file that comes with the program, e.g. "bert-base-uncased/vocab.txt": beside the executable,
// in ../share/diffie of an installed one, or in the source tree it was built from. Where none of
// them has it, the last one, so that a message can name it.
std::filesystem::path find_share_file(const std::filesystem::path& name);

}  // namespace diffie::cli
