#pragma once

#include <filesystem>
#include <string>

namespace diffie::cli {

// A file of the project's share/ folder, e.g. "bert-base-uncased/vocab.txt", looked for where
// models are. Throws kNotFound.
std::filesystem::path find_share_file(const std::filesystem::path& name);

// Another program of ours: it stands beside this one.
std::filesystem::path sibling_program(const std::string& name);

}  // namespace diffie::cli
