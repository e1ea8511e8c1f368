// Files that come with diffie: models, a vocabulary, a sample text.
#pragma once

#include <filesystem>
#include <vector>

namespace diffie::files {

// Of the program that runs, its links resolved; empty where the system does not say.
std::filesystem::path program_folder();

// Where a file or folder that comes with diffie may stand, the place that counts most first:
// `installed` in share/diffie of the prefix that the program is installed to; `in_source` in the
// program's folder and the three above it (a build below the source tree, or a program shipped with
// its models); `installed` in share/diffie above the shared library, and of the prefix that diffie
// was configured with.
std::vector<std::filesystem::path> shipped_places(const std::filesystem::path& in_source,
                                                  const std::filesystem::path& installed);

}  // namespace diffie::files
