#include "input_files.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

constexpr auto kEndings = std::to_array<std::pair<std::string_view, InputKind>>({
    {".txt", InputKind::kText},
    {".jsonl", InputKind::kJsonl},
    {".ndjson", InputKind::kJsonl},
    {".parquet", InputKind::kParquet},
    {".arrow", InputKind::kArrow},
    {".arrows", InputKind::kArrow},
    {".feather", InputKind::kArrow},
});

struct NameEnding {
  std::optional<InputKind> kind;
  bool packed = false;
};

NameEnding read_ending(std::string_view path) {
  std::string name(path);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  NameEnding found;
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (!found.packed && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      found.packed = true;
    }
  }
  for (const auto& [ending, kind] : kEndings) {
    if (name.ends_with(ending)) found.kind = kind;
  }
  return found;
}

bool is_table(std::optional<InputKind> kind) {
  return kind == InputKind::kParquet || kind == InputKind::kArrow;
}

bool is_pattern(std::string_view name) {
  return name.find_first_of("*?[") != std::string_view::npos;
}

// The entries of a folder in the order of their names.
std::vector<fs::path> entries(const fs::path& folder, Diagnostics& diagnostics) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    found.push_back(folder / entry->path().filename());
  }
  if (error) {
    diagnostics.bad_input(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// Links to folders are not followed: they may lead back.
bool is_own_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

void add_folder(const fs::path& folder, std::optional<InputKind> only, Diagnostics& diagnostics,
                std::vector<std::string>& files) {
  for (const fs::path& path : entries(folder, diagnostics)) {
    std::error_code ignored;
    if (is_hidden(path)) continue;
    if (is_own_folder(path)) {
      add_folder(path, only, diagnostics, files);
    } else if (fs::is_regular_file(path, ignored)) {
      const auto kind = kind_of_name(path.string());
      if (kind && (!only || *kind == *only)) files.push_back(path.string());
    }
  }
}

// What matches the parts of a pattern from `part` on, below `folder`.
void match(const fs::path& folder, const std::vector<std::string>& parts, std::size_t part,
           Diagnostics& diagnostics, std::set<fs::path>& found) {
  if (part == parts.size()) {
    found.insert(folder);
    return;
  }
  if (parts[part] == "**") {
    match(folder, parts, part + 1, diagnostics, found);
    for (const fs::path& path : entries(folder, diagnostics)) {
      if (!is_hidden(path) && is_own_folder(path)) match(path, parts, part, diagnostics, found);
    }
    return;
  }
  const bool last = part + 1 == parts.size();
  std::error_code ignored;
  if (!is_pattern(parts[part])) {
    const fs::path path = folder / parts[part];
    if (last ? fs::exists(path, ignored) : fs::is_directory(path, ignored))
      match(path, parts, part + 1, diagnostics, found);
    return;
  }
  for (const fs::path& path : entries(folder, diagnostics)) {
    const std::string name = path.filename().string();
    if (::fnmatch(parts[part].c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
    if (last || fs::is_directory(path, ignored)) match(path, parts, part + 1, diagnostics, found);
  }
}

std::set<fs::path> matches(const fs::path& pattern, Diagnostics& diagnostics) {
  std::vector<std::string> parts;
  for (const fs::path& part : pattern.relative_path()) {
    if (!part.empty()) parts.push_back(part.string());
  }
  std::set<fs::path> found;
  match(pattern.root_path(), parts, 0, diagnostics, found);
  return found;
}

}  // namespace

std::optional<InputKind> kind_of_name(std::string_view path) {
  const NameEnding ending = read_ending(path);
  return ending.packed && is_table(ending.kind) ? std::nullopt : ending.kind;
}

bool is_packed_table(std::string_view path) {
  const NameEnding ending = read_ending(path);
  return ending.packed && is_table(ending.kind);
}

std::vector<std::string> expand_inputs(const std::vector<std::string>& names,
                                       std::optional<InputKind> only, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  const auto add = [&](const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      files.push_back(path.string());
      return;
    }
    const std::size_t before = files.size();
    add_folder(path, only, diagnostics, files);
    if (files.size() == before) {
      diagnostics.bad_input(fmt::format("{}: no file that we read in this folder", path.string()));
    }
  };
  for (const std::string& name : names) {
    std::error_code ignored;
    if (!is_pattern(name) || fs::exists(name, ignored)) {
      add(name);
      continue;
    }
    const std::set<fs::path> found = matches(name, diagnostics);
    if (found.empty()) diagnostics.bad_input(fmt::format("{}: matches no file", name));
    for (const fs::path& path : found) add(path);
  }
  return files;
}

}  // namespace diffie::cli
