// Folders that change all at once.
#pragma once

#include <filesystem>
#include <functional>

namespace diffie::files {

// Renames `from` to `to`, in the place of the folder that may be there. Whenever it is cut off,
// `to` is the old one or all of the new one; where the system cannot swap folders, for a moment
// none. Throws kNotFound, and then the old one is there.
void replace_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// What `change` does to a copy of the folder happens to the folder at once, or not at all. The copy
// shares the files: `change` must replace them, as AtomicFile does, and not write into them. Throws
// kNotFound, and what `change` throws.
void change_folder(const std::filesystem::path& folder,
                   const std::function<void(const std::filesystem::path& copy)>& change);

}  // namespace diffie::files
