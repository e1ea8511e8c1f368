// Weights in the types we store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/model_files.h"
#include "model_dir/model_dir.h"
#include "model_dir/safetensors.h"

namespace diffie::lab {

// Symmetric int8 with one scale per row: scale = max |x| / 127, q = round(x / scale), so that
// |x - q * scale| <= scale / 2. A row of zeros has scale 0.
struct QuantizedRows {
  std::vector<std::int8_t> values;
  std::vector<float> scales;
};
// values [rows, cols]. Throws kInvalidArgument when a value is not finite.
QuantizedRows quantize_rows(std::span<const float> values, std::size_t rows);

// True for what stays fp32 in every model: vectors (biases, layer norms), the small tables of tags
// and times, and the output head. They are few and the rest of the sum passes through them.
bool stays_f32(const model_dir::TensorSpec& spec);

// Tensors that own their memory, on the way to a file.
class TensorStore {
 public:
  // Stores values as `type`; int8 adds NAME.scale. What stays_f32() says stays fp32.
  void add(const model_dir::TensorSpec& spec, std::span<const float> values, WeightType type);
  // A tensor whose bytes live elsewhere.
  void add_view(const model_dir::TensorView& view) { views_.push_back(view); }

  std::span<const model_dir::TensorView> views() const { return views_; }

 private:
  void keep(std::string name, model_dir::DType dtype, std::vector<std::uint64_t> shape,
            std::span<const std::byte> bytes);

  std::deque<std::vector<std::byte>> buffers_;
  std::vector<model_dir::TensorView> views_;
};

model_dir::DType dtype_of(WeightType type);

}  // namespace diffie::lab
