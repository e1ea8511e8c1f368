#include "input_files.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>
#include <unordered_set>
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

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

struct Entry {
  fs::path path;
  fs::file_type type = fs::file_type::none;  // a link's own; none: see `problem`
  std::error_code problem;

  bool operator<(const Entry& other) const { return path < other.path; }
};

// As the folder itself tells it, where it does: then nothing in it need be looked at.
fs::file_type type_of(const fs::directory_entry& entry, std::error_code& problem) {
  if (entry.is_symlink(problem)) return fs::file_type::symlink;
  if (problem) return fs::file_type::none;
  const fs::file_type type = entry.is_directory(problem)      ? fs::file_type::directory
                             : entry.is_regular_file(problem) ? fs::file_type::regular
                                                              : fs::file_type::unknown;
  return problem ? fs::file_type::none : type;
}

// What one name on the command line stands for: each file once, whatever leads to it. What cannot
// be looked at is reported, once.
class Expansion {
 public:
  Expansion(std::optional<InputKind> only, Diagnostics& diagnostics,
            std::vector<std::string>& files)
      : only_(only), diagnostics_(diagnostics), files_(files) {}

  void add(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      take(path);
      return;
    }
    const std::size_t before = num_findings_;
    add_folder(path);
    if (num_findings_ > before) return;
    diagnostics_.bad_input(fmt::format("{}: no file that we read in this folder", path.string()));
  }

  void add_matches(const fs::path& pattern) {
    std::vector<std::string> parts;
    for (const fs::path& part : pattern.relative_path()) {
      if (!part.empty()) parts.push_back(part.string());
    }
    std::set<fs::path> found;
    match(pattern.root_path(), parts, found);
    if (found.empty() && unreadable_.empty()) {
      diagnostics_.bad_input(fmt::format("{}: matches no file", pattern.string()));
    }
    for (const fs::path& path : found) add(path);
  }

 private:
  void take(const fs::path& path) {
    ++num_findings_;
    if (taken_.insert(path.string()).second) files_.push_back(path.string());
  }

  void unreadable(const fs::path& path, const std::error_code& problem) {
    ++num_findings_;
    if (!unreadable_.insert(path).second) return;
    diagnostics_.bad_input(fmt::format("{}: cannot be read: {}", path.string(), problem.message()));
  }

  // In the order of their names.
  std::vector<Entry> entries(const fs::path& folder) {
    std::vector<Entry> found;
    const fs::path place = folder.empty() ? "." : folder;
    std::error_code error;
    for (fs::directory_iterator entry(place, error), end; !error && entry != end;
         entry.increment(error)) {
      Entry& added = found.emplace_back();
      added.path = folder / entry->path().filename();
      added.type = type_of(*entry, added.problem);
    }
    if (error) unreadable(place, error);
    std::sort(found.begin(), found.end());
    return found;
  }

  // Links to folders are not followed: they may lead back.
  bool is_own_folder(const Entry& entry) {
    if (entry.type == fs::file_type::none) unreadable(entry.path, entry.problem);
    return entry.type == fs::file_type::directory;
  }

  bool is_folder(const fs::path& path) {
    std::error_code problem;
    const fs::file_type type = fs::status(path, problem).type();
    if (type == fs::file_type::none) unreadable(path, problem);
    return type == fs::file_type::directory;
  }

  bool is_there(const fs::path& path) {
    std::error_code problem;
    const fs::file_type type = fs::symlink_status(path, problem).type();
    if (type == fs::file_type::none) unreadable(path, problem);
    return type != fs::file_type::none && type != fs::file_type::not_found;
  }

  // A link that leads nowhere is one, too: whoever opens it says why it cannot be read.
  static bool is_file(const Entry& entry) {
    if (entry.type != fs::file_type::symlink) return entry.type == fs::file_type::regular;
    std::error_code ignored;
    const fs::file_status target = fs::status(entry.path, ignored);
    return !fs::is_directory(target) && !fs::is_other(target);
  }

  void add_folder(const fs::path& folder) {
    for (const Entry& entry : entries(folder)) {
      if (is_hidden(entry.path)) continue;
      if (is_own_folder(entry)) {
        add_folder(entry.path);
        continue;
      }
      const auto kind = kind_of_name(entry.path.string());
      if (kind && (!only_ || *kind == *only_) && is_file(entry)) take(entry.path);
    }
  }

  // What matches these parts of a pattern below `folder`.
  void match(const fs::path& folder, std::span<const std::string> parts,
             std::set<fs::path>& found) {
    if (parts.empty()) {
      found.insert(folder);
      return;
    }
    const std::string& part = parts.front();
    const auto rest = parts.subspan(1);
    if (part == "**") {
      match(folder, rest, found);
      for (const Entry& entry : entries(folder)) {
        if (!is_hidden(entry.path) && is_own_folder(entry)) match(entry.path, parts, found);
      }
      return;
    }
    if (!is_pattern(part)) {
      const fs::path path = folder / part;
      if (rest.empty() ? is_there(path) : is_folder(path)) match(path, rest, found);
      return;
    }
    for (const Entry& entry : entries(folder)) {
      const std::string name = entry.path.filename().string();
      if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
      if (rest.empty() || may_be_entered(entry)) match(entry.path, rest, found);
    }
  }

  bool may_be_entered(const Entry& entry) {
    return entry.type == fs::file_type::symlink ? is_folder(entry.path) : is_own_folder(entry);
  }

  std::optional<InputKind> only_;
  Diagnostics& diagnostics_;
  std::vector<std::string>& files_;
  std::unordered_set<std::string> taken_;
  std::set<fs::path> unreadable_;
  std::size_t num_findings_ = 0;  // files and what is unreadable, each time
};

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
  for (const std::string& name : names) {
    Expansion expansion(only, diagnostics, files);
    std::error_code ignored;
    if (!is_pattern(name) || fs::exists(name, ignored)) {
      expansion.add(name);
    } else {
      expansion.add_matches(name);
    }
  }
  return files;
}

}  // namespace diffie::cli
