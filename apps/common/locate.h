#pragma once

#include <filesystem>
#include <string>

namespace diffie::cli {

// A model by path or by name. A name is looked for in $DIFFIE_MODELS, in models/ beside the program
// and above it (a source tree), and in share/diffie/models of the place it is installed to. Throws
// kNotFound and lists where it looked.
std::filesystem::path find_model(const std::string& path_or_name);

// A file of the project's share/ folder, e.g. "bert-base-uncased/vocab.txt", looked for likewise.
std::filesystem::path find_share_file(const std::filesystem::path& name);

// Another program of ours: it stands beside this one.
std::filesystem::path sibling_program(const std::string& name);

}  // namespace diffie::cli
