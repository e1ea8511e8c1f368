// A made-up world for training tests: a few words, sentences whose roles follow from the words.
#pragma once

#include <string>
#include <vector>

#include "train/train_config.h"
#include "train/training_set.h"

namespace diffie::train {

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

// configs/tiny.toml with the vocabulary of the task: 2 x 64 encoder, 2 x 32 denoiser.
TrainConfig tiny_config(const SyntheticTask& task);

}  // namespace diffie::train
