#include "files/replace_folder.h"

#include <fmt/core.h>

#include "diffie/error.h"
#include "files/atomic_file.h"

namespace diffie::files {
namespace fs = std::filesystem;

void replace_folder(const fs::path& from, const fs::path& to) {
  std::error_code problem, ignored;
  const fs::path old = temporary_sibling(to);
  const bool replaces = fs::exists(fs::symlink_status(to, ignored));
  if (replaces) fs::rename(to, old, problem);
  if (!problem) {
    fs::rename(from, to, problem);
    if (problem && replaces) fs::rename(old, to, ignored);
  }
  if (problem) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be renamed into place: {}",
                                                  to.string(), problem.message()));
  }
  fs::remove_all(old, ignored);
}

}  // namespace diffie::files
