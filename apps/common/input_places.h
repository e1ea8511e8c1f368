// Whether what a run writes is among what it reads.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace diffie::cli {

// Where it is, or would be, behind all links; as it is named where that cannot be said.
std::filesystem::path true_place(const std::filesystem::path& path);

// The inputs of a run with all folders that they lie in, each looked at once.
class InputPlaces {
 public:
  // "-" stands for standard input, an empty name for nothing.
  explicit InputPlaces(std::vector<std::string> inputs);

  // The first input that is `made`, by whatever name, or lies in it; null: none. `made` need not be
  // there yet.
  const std::string* find(const std::filesystem::path& made) const;

 private:
  using Index = std::size_t;               // of inputs_
  using Number = std::pair<dev_t, ino_t>;  // of what is there, whatever its names

  void add(std::filesystem::path name, Index input);

  std::vector<std::string> inputs_;
  std::map<Number, Index> first_by_number_;
  std::map<std::string, Index> first_by_place_;
};

}  // namespace diffie::cli
