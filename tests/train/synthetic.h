// A made-up world for training tests: a few words, sentences whose roles follow from the words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/train_config.h"
#include "train/training_set.h"

namespace diffie::train {

// A directory that goes away with the object.
class TemporaryDir {
 public:
  TemporaryDir();
  ~TemporaryDir();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Sentences such as "ada often fed cow and hen", with one instance per object: a sample has to
// choose one of the two, and the pool has to hold both.
struct SyntheticTask {
  std::string vocab;  // vocab.txt
  TrainingSet train;
  std::vector<std::string> sentences;  // held out, blanks between words
  std::string gold;                    // CaRB TSV for them
};
SyntheticTask make_synthetic_task(std::size_t train_sentences, std::size_t dev_sentences,
                                  std::uint64_t seed);

void write_file(const std::filesystem::path& path, const std::string& text);
std::string read_file(const std::filesystem::path& path);

// configs/tiny.toml with the vocabulary of the task: 2 x 64 encoder, 2 x 32 denoiser.
TrainConfig tiny_config(const SyntheticTask& task);

}  // namespace diffie::train
