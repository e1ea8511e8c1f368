// y = W x + b on tensor cores (T: bf16) or in plain fp32 (T: float), through cuBLASLt.
#pragma once

#include <cuda_bf16.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

// The way a product is computed is chosen once, for many rows, and is one that does not cut the sum
// over the inputs into parts: so a row's result does not depend on how many there are. Immutable
// and shared between threads.
template <typename T>
class Linear {
 public:
  // weight [n, k], bias [n]; n and k are multiples of 8, else kUnsupported. The handle must outlive
  // this. GELU in bf16 is the form with tanh, within 5e-4 of the one with erf and below bf16's
  // rounding of all but the smallest values.
  Linear(cublasLtHandle_t handle, std::span<const float> weight, std::span<const float> bias,
         Activation activation = Activation::kNone);

  // Tensors NAME.weight [n, k] and NAME.bias [n]; several names: one below the other.
  static Linear load(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                     const std::vector<std::string>& names, std::size_t n, std::size_t k,
                     Activation activation = Activation::kNone);

  std::size_t outputs() const { return n_; }

  // x [rows, k] -> y [rows, n] = activation(W x + b) + residual, which may be null and may be y.
  void apply(const T* x, std::size_t rows, T* y, cudaStream_t stream,
             const T* residual = nullptr) const;

 private:
  cublasLtMatmulAlgo_t choose() const;

  cublasLtHandle_t handle_;
  std::size_t n_;
  std::size_t k_;
  Activation activation_;
  DeviceArray<T> weight_;
  DeviceArray<T> bias_;
  Matmul matmul_;
  cublasLtMatmulAlgo_t algo_;
};

}  // namespace diffie::cuda
