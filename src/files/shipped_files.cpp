#include "files/shipped_files.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace diffie::files {
namespace fs = std::filesystem;
namespace {

// lib/x86_64-linux-gnu and lib/ABI/python are as deep as libraries lie below their prefix.
constexpr int kLevels = 4;

// A folder and those above it, the nearest first.
std::vector<fs::path> upwards(fs::path folder) {
  std::vector<fs::path> found;
  while (!folder.empty() && found.size() < kLevels) {
    found.push_back(folder);
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return found;
}

// Of the shared library that holds this function; empty where it is linked into the program.
fs::path library_folder() {
  Dl_info info{};
  link_map* library = nullptr;
  const auto here = reinterpret_cast<void*>(&library_folder);
  const bool known =
      ::dladdr1(here, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) != 0;
  // The program's own name is empty.
  if (!known || library == nullptr || library->l_name == nullptr || *library->l_name == '\0') {
    return {};
  }
  std::error_code error;
  return fs::canonical(library->l_name, error).parent_path();
}

}  // namespace

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::vector<fs::path> shipped_places(const fs::path& in_source, const fs::path& installed) {
  std::vector<fs::path> places;
  const auto add = [&](fs::path place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) {
      places.push_back(std::move(place));
    }
  };
  const fs::path program = program_folder();
  if (!program.empty()) add(program.parent_path() / "share/diffie" / installed);
  for (const fs::path& folder : upwards(program)) add(folder / in_source);
  for (const fs::path& folder : upwards(library_folder())) add(folder / "share/diffie" / installed);
  add(fs::path(DIFFIE_INSTALLED_DATA) / installed);
  return places;
}

}  // namespace diffie::files
