#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/model_dir.h"
#include "io/safetensors.h"

namespace diffie::model {

// A tiny model with inputs and PyTorch's outputs, made by scripts/make_golden.py.
class Golden {
 public:
  explicit Golden(const std::string& kernel)
      : dir(io::ModelDir::open(folder() / kernel)),
        vectors_(io::SafetensorsFile::open(folder() / (kernel + ".safetensors"))) {}

  template <typename T>
  std::vector<T> values(const std::string& name) const {
    const io::TensorView* tensor = vectors_.find(name);
    if (tensor == nullptr) throw std::runtime_error("no golden tensor " + name);
    const auto* begin = reinterpret_cast<const T*>(tensor->bytes.data());
    return std::vector<T>(begin, begin + tensor->bytes.size() / sizeof(T));
  }

  io::ModelDir dir;

 private:
  static std::filesystem::path folder() {
    return std::filesystem::path(DIFFIE_SOURCE_DIR) / "tests/model/golden";
  }
  io::SafetensorsFile vectors_;
};

}  // namespace diffie::model
