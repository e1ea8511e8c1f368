#include "outputs.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "files/atomic_file.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

// By links or another spelling, too.
bool is_same(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored);
}

bool replaces(const fs::path& output, const fs::path& input) {
  std::error_code ignored;
  if (!fs::is_directory(input, ignored)) return is_same(output, input);
  const fs::path folder = files::place_of_file(output).parent_path() / ".";
  return fs::exists(output, ignored) && is_same(folder, input);
}

// Where a file will be that need not be there yet.
fs::path place_of(const fs::path& output) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(files::place_of_file(output), ignored), ignored);
}

[[noreturn]] void refuse(const fs::path& output, const char* why) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", output.string(), why));
}

}  // namespace

void check_outputs(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  std::vector<fs::path> places;
  for (const fs::path& output : outputs) {
    if (output.empty()) continue;
    files::check_can_be_written(output);
    if (files::is_special_file(output)) continue;
    for (const fs::path& input : inputs) {
      if (replaces(output, input == "-" ? "/dev/stdin" : input)) {
        refuse(output, "is read, and would be replaced");
      }
    }
    const fs::path place = place_of(output);
    for (const fs::path& other : places) {
      if (place == other) refuse(output, "would be written twice");
    }
    places.push_back(place);
  }
}

}  // namespace diffie::cli
