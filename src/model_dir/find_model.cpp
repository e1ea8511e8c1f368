#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "diffie/error.h"
#include "diffie/model.h"
#include "files/shipped_files.h"

namespace diffie {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  const char* set = std::getenv("DIFFIE_MODELS");
  if (set != nullptr && *set != '\0') folders.emplace_back(set);
  for (fs::path& place : files::shipped_places("models", "models")) {
    folders.push_back(std::move(place));
  }
  return folders;
}

[[noreturn]] void not_found(const std::string& name_or_path, const std::string& looked) {
  throw Error(ErrorCode::kNotFound,
              fmt::format("model '{}': no such directory{}", name_or_path, looked));
}

}  // namespace

fs::path find_model(const std::string& name_or_path) {
  std::error_code error;
  // The system would read it up to there.
  if (name_or_path.find('\0') != std::string::npos) not_found(name_or_path, "");
  if (name_or_path.empty() || name_or_path.find('/') != std::string::npos) {
    if (!fs::is_directory(name_or_path, error)) not_found(name_or_path, "");
    return name_or_path;
  }
  const bool is_name = name_or_path != "." && name_or_path != "..";
  std::string looked;
  for (const fs::path& folder : is_name ? model_folders() : std::vector<fs::path>{}) {
    if (fs::exists(folder / name_or_path / "config.json", error)) return folder / name_or_path;
    looked += fmt::format("{}{}", looked.empty() ? " (looked in " : ", ", folder.string());
  }
  if (!looked.empty()) looked += ')';
  if (fs::is_directory(name_or_path, error)) return name_or_path;
  not_found(name_or_path, looked);
}

}  // namespace diffie
