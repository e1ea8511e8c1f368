// A training run from files to a model directory. No LibTorch in here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "train/metrics.h"
#include "train/train_config.h"

namespace diffie::train {

struct RunOptions {
  TrainConfig config;
  std::vector<std::filesystem::path> data;  // training files, one after the other
  std::filesystem::path vocab;              // vocab.txt
  std::filesystem::path encoder;            // safetensors; empty: random weights
  std::filesystem::path init;               // model directory to start from, instead of `encoder`
  std::filesystem::path out;                // receives checkpoint, metrics and, at the end, model/
  std::filesystem::path dev_sentences;      // one a line, white-space tokens; empty: no evaluation
  std::filesystem::path dev_gold;           // CaRB's gold for them
  std::string device = "auto";              // auto | cpu | cuda
  bool resume = false;
  bool quiet = false;
  std::function<void(std::int64_t steps_done)> after_step;  // may throw to stop the run there
};

struct RunResult {
  std::int64_t steps = 0;
  double seconds = 0;       // of the run, pauses between resumptions not counted
  double eval_seconds = 0;  // of these, on evaluations since the last resumption
  double loss = 0;          // mean over the last rows logged
  std::optional<DevScore> dev;
  std::filesystem::path model;  // OUT/model
};

// Throws kInvalidArgument when `out` already holds a run and `resume` is off, `resume` is on and it
// holds another, or `init` is a model of another architecture or vocabulary; kNotFound, kBadInput,
// kCorruptModel for the files.
RunResult run_training(const RunOptions& options);

// "cuda: NVIDIA H200", "cpu".
std::string describe_device(const std::string& device);

}  // namespace diffie::train
