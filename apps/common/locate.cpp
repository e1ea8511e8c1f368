#include "locate.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "diffie/error.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

fs::path program_dir() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::current_path() : program.parent_path();
}

// The program's folder and the three above it: build/release lies two below the source tree's root.
std::vector<fs::path> roots() {
  std::vector<fs::path> found;
  fs::path dir = program_dir();
  for (int level = 0; level < 4 && !dir.empty(); ++level, dir = dir.parent_path()) {
    found.push_back(dir);
    if (dir == dir.root_path()) break;
  }
  return found;
}

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* env = std::getenv("DIFFIE_MODELS")) folders.emplace_back(env);
  for (const fs::path& root : roots()) folders.push_back(root / "models");
  folders.push_back(program_dir().parent_path() / "share" / "diffie" / "models");
  return folders;
}

}  // namespace

fs::path sibling_program(const std::string& name) { return program_dir() / name; }

fs::path find_model(const std::string& path_or_name) {
  std::error_code error;
  if (fs::is_directory(path_or_name, error)) return path_or_name;
  std::string looked;
  if (path_or_name.find('/') == std::string::npos) {
    for (const fs::path& folder : model_folders()) {
      if (fs::exists(folder / path_or_name / "config.json", error)) return folder / path_or_name;
      looked += fmt::format("{}{}", looked.empty() ? " (looked in " : ", ", folder.string());
    }
    looked += ')';
  }
  throw Error(ErrorCode::kNotFound,
              fmt::format("model '{}': no such directory{}", path_or_name, looked));
}

fs::path find_share_file(const fs::path& name) {
  std::error_code error;
  for (const fs::path& root : roots()) {
    if (fs::exists(root / "share" / name, error)) return root / "share" / name;
  }
  const fs::path installed = program_dir().parent_path() / "share" / "diffie" / name;
  if (fs::exists(installed, error)) return installed;
  throw Error(ErrorCode::kNotFound, fmt::format("{}: not found beside the program", name.string()));
}

}  // namespace diffie::cli
