#include "lab/models/model_dir_write.h"

#include <fmt/format.h>

#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "files/atomic_file.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_dir.h"

namespace diffie::lab {
namespace {

namespace fs = std::filesystem;

// How many of the tensors each weight file takes, in order.
std::vector<std::size_t> split(std::span<const model_dir::TensorView> tensors,
                               std::uint64_t max_bytes) {
  std::vector<std::size_t> counts;
  std::uint64_t bytes = 0;
  for (const model_dir::TensorView& tensor : tensors) {
    if (counts.empty() || bytes + tensor.bytes.size() > max_bytes) {
      counts.push_back(0);
      bytes = 0;
    }
    ++counts.back();
    bytes += tensor.bytes.size();
  }
  return counts;
}

void check_complete(const ModelContent& content) {
  const model_dir::FindTensor find = [&](std::string_view name) -> const model_dir::TensorView* {
    for (const model_dir::TensorView& tensor : content.tensors) {
      if (tensor.name == name) return &tensor;
    }
    return nullptr;
  };
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(content.config)) {
    const std::string problem = model_dir::tensor_problem(spec, find);
    if (!problem.empty()) throw Error(ErrorCode::kInvalidArgument, problem);
  }
}

void write_files(const fs::path& dir, const ModelContent& content, std::uint64_t max_file_bytes) {
  model_dir::ModelConfig config = content.config;
  const std::vector<std::size_t> counts = split(content.tensors, max_file_bytes);
  config.weights.clear();
  std::size_t first = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    config.weights.push_back(
        counts.size() == 1 ? "model.safetensors"
                           : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, counts.size()));
    write_safetensors(dir / config.weights.back(), content.tensors.subspan(first, counts[i]));
    first += counts[i];
  }
  files::write_text_file(dir / "config.json", to_json(config));
  files::write_text_file(dir / "vocab.txt", content.vocab);
  files::write_text_file(dir / "MODEL_CARD.md", content.card);
  if (!content.ranker.empty()) files::write_text_file(dir / "ranker.json", content.ranker);
  checksums::write_sha256sums(dir);
}

}  // namespace

void write_model_dir(const fs::path& dir, const ModelContent& content,
                     std::uint64_t max_file_bytes) {
  model_dir::check_model_config(content.config);
  check_complete(content);
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(dir, ignored)) &&
      !(fs::is_directory(dir, ignored) && fs::is_empty(dir, ignored))) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: exists and is not an empty directory", dir.string()));
  }
  const fs::path temporary = files::temporary_sibling(dir);
  try {
    if (temporary.has_parent_path()) fs::create_directories(temporary.parent_path());
    fs::create_directory(temporary);
    write_files(temporary, content, max_file_bytes);
    fs::rename(temporary, dir);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(temporary, ignored);
    throw Error(ErrorCode::kNotFound, fmt::format("{}: {}", dir.string(), error.code().message()));
  } catch (...) {
    fs::remove_all(temporary, ignored);
    throw;
  }
}

}  // namespace diffie::lab
