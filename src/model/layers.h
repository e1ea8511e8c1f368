// Weights of the two kinds of layer that encoder and denoiser are made of, ready for the ops.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "io/model_dir.h"
#include "ops/gemm.h"
#include "ops/layer_norm.h"

namespace diffie::model {

// y = W x + b
struct Linear {
  ops::PackedMatrix weight;
  std::vector<float> bias;

  // Tensors NAME.weight [n, k] and NAME.bias [n].
  static Linear load(const io::ModelDir& dir, const std::string& name, std::size_t n,
                     std::size_t k);
  // Several layers with the same input as one with all their outputs, in this order.
  static Linear load_stacked(const io::ModelDir& dir, std::initializer_list<std::string> names,
                             std::size_t n, std::size_t k);

  void apply(std::span<const float> x, std::size_t rows, std::span<float> y,
             ops::Epilogue epilogue = ops::Epilogue::kBias,
             std::span<const float> residual = {}) const {
    ops::gemm(x, rows, weight, bias, y, epilogue, residual);
  }
};

struct Norm {
  std::vector<float> gamma;
  std::vector<float> beta;
  float eps = 0;

  static Norm load(const io::ModelDir& dir, const std::string& name, std::size_t columns,
                   double eps);

  ops::LayerNormWeights weights() const { return {gamma, beta, eps}; }
  void apply(std::span<const float> x, std::size_t rows, std::span<float> y) const {
    ops::layer_norm(x, rows, weights(), y);
  }
};

}  // namespace diffie::model
