#include "locate.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "files/shipped_files.h"

namespace diffie::cli {
namespace fs = std::filesystem;

fs::path sibling_program(const std::string& name) { return files::program_folder() / name; }

fs::path find_share_file(const fs::path& name) {
  std::error_code error;
  for (const fs::path& place : files::shipped_places("share" / name, name)) {
    if (fs::exists(place, error)) return place;
  }
  throw Error(ErrorCode::kNotFound, fmt::format("{}: not found beside the program", name.string()));
}

}  // namespace diffie::cli
