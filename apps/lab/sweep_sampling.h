// Pools from a model, where no file has them yet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "diffie/lab/sweep.h"

namespace diffie::cli {

struct SamplingArguments {
  std::string model;
  std::string preset;               // of temperature and remasking; empty: the model's default
  std::string sentences;            // one a line, white-space tokens
  std::vector<std::int32_t> steps;  // a pool for each; none: the preset's
  std::int32_t samples = 512;
  std::optional<std::int32_t> judged;  // none: the preset's
  std::uint64_t seed = 0;
  std::int32_t threads = 0;
  std::string keep;  // file to write; of several step counts "-stepsN" goes before its extension
};

// Where the pools will be kept, one per number of steps; none: nowhere.
std::vector<std::filesystem::path> kept_paths(const SamplingArguments& arguments);

// One pool per number of steps, labelled "steps=N".
std::vector<SweepPool> sample_pools(const SamplingArguments& arguments, Diagnostics& diagnostics);

}  // namespace diffie::cli
