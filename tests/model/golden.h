#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "model_dir/model_dir.h"
#include "model_dir/safetensors.h"

namespace diffie::model {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(DIFFIE_SOURCE_DIR) / "tests/model/golden";
}

// A tensor's raw values; T has the stored type's size.
template <typename T>
std::vector<T> tensor_values(const model_dir::SafetensorsFile& file, const std::string& name) {
  const model_dir::TensorView* tensor = file.find(name);
  if (tensor == nullptr) throw std::runtime_error("no tensor " + name);
  std::vector<T> values(tensor->bytes.size() / sizeof(T));
  tensor->bytes.copy_to(std::as_writable_bytes(std::span(values)));
  return values;
}

// A tiny model with inputs and PyTorch's outputs, made by scripts/make_golden.py.
class Golden {
 public:
  explicit Golden(const std::string& kernel)
      : dir(model_dir::ModelDir::open(golden_folder() / kernel)),
        vectors_(model_dir::SafetensorsFile::open(golden_folder() / (kernel + ".safetensors"))) {}

  template <typename T>
  std::vector<T> values(const std::string& name) const {
    return tensor_values<T>(vectors_, name);
  }

  model_dir::ModelDir dir;

 private:
  model_dir::SafetensorsFile vectors_;
};

}  // namespace diffie::model
