// Weights of the two kinds of layer that encoder and denoiser are made of, ready for the ops.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/precision.h"
#include "model/workspace.h"
#include "model_dir/model_dir.h"
#include "ops/gemm.h"
#include "ops/gemm_int8.h"
#include "ops/layer_norm.h"

namespace diffie::model {

// y = W x + b
class Linear {
 public:
  Linear() = default;
  Linear(ops::PackedMatrix weight, std::vector<float> bias)
      : weight_(std::move(weight)), bias_(std::move(bias)) {}

  // Tensors NAME.weight [n, k] and NAME.bias [n].
  static Linear load(const model_dir::ModelDir& dir, const std::string& name, std::size_t n,
                     std::size_t k, Precision precision);
  // Several layers with the same input as one with all their outputs, in this order.
  static Linear load_stacked(const model_dir::ModelDir& dir, const std::vector<std::string>& names,
                             std::size_t n, std::size_t k, Precision precision);

  // Uses the workspace's slot kLinearSlot.
  void apply(std::span<const float> x, std::size_t rows, std::span<float> y, Workspace& workspace,
             ops::Epilogue epilogue = ops::Epilogue::kBias,
             std::span<const float> residual = {}) const;

 private:
  ops::PackedMatrix weight_;  // one of the two is empty
  ops::PackedInt8 int8_weight_;
  std::vector<float> bias_;
};

inline constexpr std::size_t kLinearSlot = kFirstFreeSlot - 1;

struct Norm {
  std::vector<float> gamma;
  std::vector<float> beta;
  float eps = 0;

  static Norm load(const model_dir::ModelDir& dir, const std::string& name, std::size_t columns,
                   double eps);

  ops::LayerNormWeights weights() const { return {gamma, beta, eps}; }
  void apply(std::span<const float> x, std::size_t rows, std::span<float> y) const {
    ops::layer_norm(x, rows, weights(), y);
  }
};

}  // namespace diffie::model
