#include "cuda/linear.h"

#include <fmt/format.h>

#include <array>

#include "cuda/convert.h"
#include "cuda/kernels.h"
#include "diffie/error.h"

namespace diffie::cuda {
namespace {

constexpr std::size_t kTypicalRows = 8192;

template <typename T>
constexpr cudaDataType_t kType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_16BF;

template <typename Value>
void set(cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t name, const Value& value) {
  DIFFIE_CUDA_CHECK(cublasLtMatmulDescSetAttribute(matmul, name, &value, sizeof(value)));
}
template <typename Value>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t name,
         const Value& value) {
  DIFFIE_CUDA_CHECK(cublasLtMatmulPreferenceSetAttribute(preference, name, &value, sizeof(value)));
}

// cuBLAS counts by columns: y^T [n, rows] = W [n, k] x^T [k, rows].
struct Layouts {
  cublasLtMatrixLayoutOpaque_t weight, x, y;

  Layouts(cudaDataType_t type, std::size_t n, std::size_t k, std::size_t rows) {
    DIFFIE_CUDA_CHECK(cublasLtMatrixLayoutInit(&weight, type, k, n, static_cast<std::int64_t>(k)));
    DIFFIE_CUDA_CHECK(cublasLtMatrixLayoutInit(&x, type, k, rows, static_cast<std::int64_t>(k)));
    DIFFIE_CUDA_CHECK(cublasLtMatrixLayoutInit(&y, type, n, rows, static_cast<std::int64_t>(n)));
  }
};

}  // namespace

Handle make_handle() {
  cublasLtHandle_t handle = nullptr;
  DIFFIE_CUDA_CHECK(cublasLtCreate(&handle));
  return Handle(handle);
}

template <typename T>
Linear<T>::Linear(cublasLtHandle_t handle, std::span<const float> weight,
                  std::span<const float> bias, Activation activation)
    : handle_(handle),
      n_(bias.size()),
      k_(weight.size() / bias.size()),
      activation_(activation),
      weight_(upload<T>(weight)),
      bias_(upload<T>(bias)) {
  if (n_ % 8 != 0 || k_ % 8 != 0) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("CUDA: a layer of {} x {}, wanted multiples of 8", n_, k_));
  }
  cublasLtMatmulDesc_t matmul = nullptr;
  DIFFIE_CUDA_CHECK(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  matmul_.reset(matmul);
  const bool fused = activation == Activation::kGelu && std::is_same_v<T, Bf16>;
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE,
      fused ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_BIAS);
  set(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias_.data()));
  algo_ = choose();
}

template <typename T>
Linear<T> Linear<T>::load(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                          const std::vector<std::string>& names, std::size_t n, std::size_t k,
                          Activation activation) {
  const auto rows = static_cast<std::int64_t>(n);
  std::vector<float> weight, bias;
  for (const std::string& name : names) {
    const std::vector<float> weights =
        dir.floats(name + ".weight", {rows, static_cast<std::int64_t>(k)});
    const std::vector<float> biases = dir.floats(name + ".bias", {rows});
    weight.insert(weight.end(), weights.begin(), weights.end());
    bias.insert(bias.end(), biases.begin(), biases.end());
  }
  return Linear(handle, weight, bias, activation);
}

template <typename T>
cublasLtMatmulAlgo_t Linear<T>::choose() const {
  Layouts layouts(kType<T>, n_, k_, kTypicalRows);
  cublasLtMatmulPreferenceOpaque_t preference;
  DIFFIE_CUDA_CHECK(cublasLtMatmulPreferenceInit(&preference));
  constexpr std::uint32_t kAlignment = 16;
  set(&preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
      static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE));
  for (const auto operand :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
    set(&preference, operand, kAlignment);
  }
  std::array<cublasLtMatmulHeuristicResult_t, 8> found{};
  int count = 0;
  DIFFIE_CUDA_CHECK(cublasLtMatmulAlgoGetHeuristic(
      handle_, matmul_.get(), &layouts.weight, &layouts.x, &layouts.y, &layouts.y, &preference,
      static_cast<int>(found.size()), found.data(), &count));
  for (int i = 0; i < count; ++i) {
    std::int32_t parts = 1;
    DIFFIE_CUDA_CHECK(cublasLtMatmulAlgoConfigGetAttribute(
        &found[i].algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &parts, sizeof(parts), nullptr));
    if (parts <= 1 && found[i].workspaceSize == 0) return found[i].algo;
  }
  throw Error(ErrorCode::kUnsupported,
              fmt::format("CUDA: no way to multiply with a layer of {} x {}", n_, k_));
}

template <typename T>
void Linear<T>::apply(const T* x, std::size_t rows, T* y, cudaStream_t stream,
                      const T* residual) const {
  if (rows == 0) return;
  Layouts layouts(kType<T>, n_, k_, rows);
  const float one = 1, beta = residual == nullptr ? 0.0f : 1.0f;
  DIFFIE_CUDA_CHECK(cublasLtMatmul(handle_, matmul_.get(), &one, weight_.data(), &layouts.weight, x,
                                   &layouts.x, &beta, residual == nullptr ? y : residual,
                                   &layouts.y, y, &layouts.y, &algo_, nullptr, 0, stream));
  if (activation_ == Activation::kGelu && std::is_same_v<T, float>) gelu(y, rows * n_, stream);
}

template class Linear<float>;
template class Linear<Bf16>;

}  // namespace diffie::cuda
