// A file that must be a directory's own. Its name is plain, so only a link could lead out.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace diffie::files {

// What it is instead, as messages say it; empty where it is one, or nothing is there.
inline std::string_view problem_of_own_file(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::symlink_status(path, ignored);
  if (std::filesystem::is_symlink(status)) return "a link, wanted a file of the directory itself";
  const bool other = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return other ? "not a regular file" : "";
}

}  // namespace diffie::files
