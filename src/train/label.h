// Judgements of a training file's instances, by models that have a judge. No LibTorch in here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace diffie::train {

struct LabelOptions {
  std::vector<std::filesystem::path> models;  // directories; the mean of what they say
  std::filesystem::path data;                 // training file
  std::filesystem::path out;                  // the same with judgements
  std::size_t from_sentence = 0;              // those before it stay unjudged
  std::string device = "auto";
};

struct LabelResult {
  std::size_t instances = 0;  // that got a judgement; those that had one keep it
  double mean_exact = 0;
};

// Throws kInvalidArgument when a model has no judge.
LabelResult label_instances(const LabelOptions& options);

}  // namespace diffie::train
