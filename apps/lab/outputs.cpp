#include "outputs.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "diffie/error.h"
#include "files/atomic_file.h"
#include "input_places.h"

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

// Of a folder the files in it.
std::vector<std::string> files_of(const std::vector<fs::path>& inputs) {
  std::vector<std::string> files;
  for (const fs::path& input : inputs) {
    files.push_back(input.string());
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(input, ignored))
      files.push_back(entry.path().string());
  }
  return files;
}

[[noreturn]] void refuse(const fs::path& output, const char* why) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", output.string(), why));
}

}  // namespace

void check_outputs(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  const InputPlaces read(files_of(inputs));
  std::set<fs::path> places;
  for (const fs::path& output : outputs) {
    if (output.empty()) continue;
    files::check_can_be_written(output);
    if (files::is_special_file(output)) continue;
    std::error_code ignored;
    if (fs::exists(output, ignored) && read.find(output) != nullptr)
      refuse(output, "is read, and would be replaced");
    if (!places.insert(true_place(files::place_of_file(output))).second)
      refuse(output, "would be written twice");
  }
}

}  // namespace diffie::cli
