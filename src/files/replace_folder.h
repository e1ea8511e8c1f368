#pragma once

#include <filesystem>

namespace diffie::files {

// Renames `from` to `to`, in the place of the folder that may be there. Whenever it is cut off,
// `to` is the old one, all of the new one, or for a moment none. Throws kNotFound, and then the old
// one is there.
void replace_folder(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace diffie::files
