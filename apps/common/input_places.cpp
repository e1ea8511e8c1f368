#include "input_places.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

namespace diffie::cli {
namespace fs = std::filesystem;
namespace {

std::optional<std::pair<dev_t, ino_t>> number_of(const fs::path& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return std::nullopt;
  return std::pair(there.st_dev, there.st_ino);
}

}  // namespace

fs::path true_place(const fs::path& path) {
  std::error_code problem;
  fs::path place = fs::canonical(path, problem);
  if (!problem) return place;
  place = fs::absolute(path, problem);
  if (!problem) place = fs::weakly_canonical(place, problem);
  return problem ? path : place;
}

InputPlaces::InputPlaces(std::vector<std::string> inputs) : inputs_(std::move(inputs)) {
  for (Index input = 0; input < inputs_.size(); ++input) {
    if (inputs_[input] == "-") {
      add("/dev/stdin", input);
    } else if (!inputs_[input].empty()) {
      add(inputs_[input], input);
    }
  }
}

// Of a place that is known the folders above it are, too.
void InputPlaces::add(fs::path name, Index input) {
  fs::path place = true_place(name);
  while (place.has_relative_path() && first_by_place_.try_emplace(place.string(), input).second) {
    if (const auto number = number_of(name)) first_by_number_.try_emplace(*number, input);
    name = place = place.parent_path();
  }
}

// Numbers know other names and places what is not there yet, or has a new number at every look.
const std::string* InputPlaces::find(const fs::path& made) const {
  Index first = inputs_.size();
  const auto place = first_by_place_.find(true_place(made).string());
  if (place != first_by_place_.end()) first = place->second;
  if (const auto number = number_of(made)) {
    const auto found = first_by_number_.find(*number);
    if (found != first_by_number_.end()) first = std::min(first, found->second);
  }
  return first == inputs_.size() ? nullptr : &inputs_[first];
}

}  // namespace diffie::cli
