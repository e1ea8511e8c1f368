// Writing a model directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "model_dir/model_dir.h"

namespace diffie::lab {

// Everything of a directory but the checksums.
struct ModelContent {
  model_dir::ModelConfig config;  // `weights` is filled in by the writer
  std::span<const model_dir::TensorView> tensors;
  std::string_view vocab;        // vocab.txt
  std::string_view card;         // MODEL_CARD.md
  std::string_view ranker = {};  // ranker.json; empty: none
};

// Weight files hold at most this many bytes of tensors, unless one tensor alone is larger.
inline constexpr std::uint64_t kMaxWeightFileBytes = 45'000'000;

// Writes a complete directory with its SHA256SUMS beside `dir` and renames it there: a reader sees
// all of it or nothing. Throws kInvalidArgument when `dir` exists and is not an empty directory or
// when tensors are missing, kNotFound when it cannot be written.
void write_model_dir(const std::filesystem::path& dir, const ModelContent& content,
                     std::uint64_t max_file_bytes = kMaxWeightFileBytes);

}  // namespace diffie::lab
