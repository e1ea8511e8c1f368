// y = W x + b on tensor cores (bf16, fp16 or 8-bit floats in, fp32 sums) or in plain fp32, through
// cuBLASLt.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

struct DestroyHandle {
  void operator()(cublasLtHandle_t handle) const { cublasLtDestroy(handle); }
};
struct DestroyMatmul {
  void operator()(cublasLtMatmulDesc_t matmul) const { cublasLtMatmulDescDestroy(matmul); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<cublasLtHandle_t>, DestroyHandle>;
using Matmul = std::unique_ptr<std::remove_pointer_t<cublasLtMatmulDesc_t>, DestroyMatmul>;

Handle make_handle();

enum class Activation { kNone, kGelu };

// In, Out: what x and y are; both the same, or Fp8 in and Bf16 out.
//
// The way a product is computed is chosen once, for many rows, and is one that does not cut the sum
// over the inputs into parts: so a row's result does not depend on how many there are. Immutable
// and shared between threads.
template <typename In, typename Out = In>
class Linear {
 public:
  // What biases and residuals are.
  using Wide = std::conditional_t<std::is_same_v<Out, Fp8>, Bf16, Out>;

  // weight [n, k], bias [n]; n and k are multiples of 8 (of 16 for Fp8), else kUnsupported. The
  // handle must outlive this. GELU but in fp32 is the form with tanh, within 5e-4 of the one with
  // erf: below bf16's rounding of all but the smallest values, and about fp16's at 1. Weights in
  // Fp8 are scaled so that the largest is the largest number there is; x and y are not: what a
  // norm, a mean of such or GELU leaves lies well inside.
  Linear(cublasLtHandle_t handle, std::span<const float> weight, std::span<const float> bias,
         Activation activation = Activation::kNone);

  // Tensors NAME.weight [n, k] and NAME.bias [n]; several names: one below the other.
  static Linear load(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                     const std::vector<std::string>& names, std::size_t n, std::size_t k,
                     Activation activation = Activation::kNone);

  std::size_t outputs() const { return n_; }

  // Rows that x, y and residual have room for where `rows` are asked for: 8-bit floats are
  // multiplied 16 rows at a time. What stands in those beyond is read, and y's are written.
  static constexpr std::size_t room(std::size_t rows) {
    return std::is_same_v<In, Fp8> ? (rows + 15) / 16 * 16 : rows;
  }

  // x [rows, k] -> y [rows, n] = activation(W x + b) + residual, which may be null and may be y.
  void apply(const In* x, std::size_t rows, Out* y, cudaStream_t stream,
             const Wide* residual = nullptr) const;

 private:
  void describe();
  cublasLtMatmulAlgo_t choose() const;

  cublasLtHandle_t handle_;
  std::size_t n_;
  std::size_t k_;
  Activation activation_;
  DeviceArray<In> weight_;
  DeviceArray<float> scale_;  // of Fp8 weights
  DeviceArray<Wide> bias_;
  Matmul matmul_;
  cublasLtMatmulAlgo_t algo_;
};

}  // namespace diffie::cuda
