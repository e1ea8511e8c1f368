// Making model directories: new ones, and old ones with weights of another type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace diffie {

enum class WeightType { kF32, kF16, kBF16, kI8 };

struct InitOptions {
  std::string name = "untrained";
  std::filesystem::path encoder;    // encoder.safetensors of an import, or its directory, with
                                    // encoder.json beside it; empty: random
  std::filesystem::path vocab;      // vocab.txt; empty: the one beside the encoder
  std::int32_t encoder_layers = 2;  // used when `encoder` is empty
  std::int32_t encoder_hidden = 64;
  std::int32_t encoder_heads = 4;
  std::int32_t denoiser_layers = 2;
  std::int32_t denoiser_hidden = 64;
  std::int32_t denoiser_heads = 4;
  std::int32_t judge_layers = 0;  // 0: the model has no judge
  std::int32_t judge_hidden = 64;
  std::int32_t judge_heads = 4;
  std::string kernel = "uniform";  // uniform | absorbing | anchored (16 steps)
  std::string schedule = "cosine";
  std::int32_t steps = 16;
  std::uint64_t seed = 0;
  WeightType weights = WeightType::kF32;
};

// Writes a complete model directory with random weights (and, if given, an imported encoder); the
// same options give the same bytes.
void init_model(const std::filesystem::path& dir, const InitOptions& options);

// Writes the model of `in_dir` with its matrices in another type (int8: one scale per row); biases,
// layer norms, the tables of tags and times and the output heads stay fp32. `out_dir` must not
// exist or be empty. With `others`, models of the same architecture, the weights are the mean of
// all; everything else is that of `in_dir`.
void convert_model(const std::filesystem::path& in_dir, const std::filesystem::path& out_dir,
                   WeightType weights, const std::vector<std::filesystem::path>& others = {});

// Writes a text file of a model directory, new or anew, and its line of SHA256SUMS; the other sums
// stay as they are. Throws kInvalidArgument for a name that is no plain file name.
void write_model_document(const std::filesystem::path& dir, const std::string& name,
                          std::string_view text);

}  // namespace diffie
