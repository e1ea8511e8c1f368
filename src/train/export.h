// A trained model as a directory that the engine loads, and back.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "train/params.h"

namespace diffie::train {

struct ExportContent {
  std::map<std::string, std::string> provenance;
  std::string vocab;                            // vocab.txt
  std::string card;                             // MODEL_CARD.md
  std::map<std::string, std::string> files;     // further files, by name
  std::vector<std::string> implied_words = {};  // of the training file
};

// Replaces `dir` as a whole. A tagger's directory has tagger.head.* instead of denoiser.*; the
// engine refuses it, `diffie-train sample` reads it.
void export_model(const std::filesystem::path& dir, const TrainConfig& config,
                  const ParamSet& params, const ExportContent& content);

struct LoadedModel {
  TrainConfig config;  // architecture and dropout only; the rest is default
  ParamSet params;     // fp32 on the CPU
  std::vector<std::string> implied_words;
};
// Throws kNotFound, kCorruptModel, kUnsupported.
LoadedModel load_model(const std::filesystem::path& dir);

// All weights of a model directory, fp32 on the CPU, for a run with this config and the vocabulary
// `vocab` to start from. Throws as load_model, and kInvalidArgument when the model has another
// architecture, kernel, number of steps or vocabulary than the run.
ParamSet load_start(const std::filesystem::path& dir, const TrainConfig& config,
                    const std::filesystem::path& vocab);

// SHA-256 of each of its weight files, separated by blanks.
std::string weights_sha256(const std::filesystem::path& dir);

}  // namespace diffie::train
