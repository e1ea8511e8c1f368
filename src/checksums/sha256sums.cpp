#include "checksums/sha256sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/printable.h"
#include "base/take_line.h"
#include "checksums/sha256.h"
#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/file_names.h"
#include "files/own_file.h"
#include "files/read_file.h"

namespace diffie::checksums {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileName = "SHA256SUMS";
constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kDigits = 64;

bool is_digest(std::string_view text) {
  return text.size() == kDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// "<64 digits> " then ' ' (text) or '*' (binary), then the name.
bool is_sum_line(std::string_view line) {
  return line.size() > kDigits + 2 && is_digest(line.substr(0, kDigits)) && line[kDigits] == ' ' &&
         (line[kDigits + 1] == ' ' || line[kDigits + 1] == '*') &&
         files::is_plain_name(line.substr(kDigits + 2)) && line.substr(kDigits + 2) != kFileName;
}

std::string problem_of(const fs::path& path, const std::string& wanted) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (!fs::exists(status)) return fmt::format("{}: missing", path.string());
  const std::string_view problem = files::problem_of_own_file(path);
  if (!problem.empty()) return fmt::format("{}: {}", path.string(), problem);
  const std::string found = sha256_of_file(path);
  if (found == wanted) return "";
  return fmt::format("{}: SHA-256 is {}, SHA256SUMS says {}", path.string(), found, wanted);
}

}  // namespace

std::map<std::string, std::string> read_sha256sums(const fs::path& dir) {
  const fs::path path = dir / kFileName;
  const std::string text = files::read_small_file(path, kMaxBytes);
  std::map<std::string, std::string> sums;
  std::string_view rest = text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = base::take_line(rest);
    if (!is_sum_line(line)) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: line {}: '{}' is not a SHA-256 and a plain file name",
                              path.string(), number, base::printable(line)));
    }
    const std::string name(line.substr(kDigits + 2));
    if (!sums.emplace(name, line.substr(0, kDigits)).second) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: '{}' is listed twice", path.string(), name));
    }
  }
  return sums;
}

std::vector<std::string> check_sha256sums(const fs::path& dir,
                                          const std::vector<std::string>& required, bool all) {
  const std::map<std::string, std::string> sums = read_sha256sums(dir);
  std::vector<std::string> problems;
  const auto unlisted = [&](const std::string& name) {
    problems.push_back(fmt::format("{}: not listed in SHA256SUMS", (dir / name).string()));
  };
  for (const std::string& name : required) {
    if (!sums.contains(name)) unlisted(name);
  }
  for (const auto& [name, digest] : sums) {
    std::string problem = problem_of(dir / name, digest);
    if (!problem.empty()) problems.push_back(std::move(problem));
  }
  if (!all) return problems;
  std::vector<std::string> extra;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    const bool is_required = std::find(required.begin(), required.end(), name) != required.end();
    if (name != kFileName && !sums.contains(name) && !is_required) extra.push_back(name);
  }
  std::sort(extra.begin(), extra.end());
  for (const std::string& name : extra) unlisted(base::printable(name, 255));
  return problems;
}

void write_sha256sums(const fs::path& dir) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    if (name == kFileName) continue;
    if (!files::is_plain_name(name) || !fs::is_regular_file(entry.symlink_status())) {
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: '{}' is not a plainly named file",
                                                           dir.string(), base::printable(name)));
    }
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}  {}\n", sha256_of_file(dir / name), name);
  }
  files::write_text_file(dir / kFileName, text);
}

}  // namespace diffie::checksums
