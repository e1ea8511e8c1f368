#include "cuda/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "cuda/convert.h"
#include "cuda/kernels.h"
#include "diffie/error.h"

namespace diffie::cuda {
namespace {

constexpr std::size_t kTypicalRows = 16384;
constexpr float kLargestFp8 = 448;

template <typename T>
constexpr cudaDataType_t kType = std::is_same_v<T, float>  ? CUDA_R_32F
                                 : std::is_same_v<T, Half> ? CUDA_R_16F
                                 : std::is_same_v<T, Fp8>  ? CUDA_R_8F_E4M3
                                                           : CUDA_R_16BF;

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
template <typename Product>
struct Layouts;
template <typename In, typename Out>
struct Layouts<Linear<In, Out>> {
  cublasLtMatrixLayoutOpaque_t weight, x, residual, y;

  Layouts(std::size_t n, std::size_t k, std::size_t rows) {
    const auto init = [](cublasLtMatrixLayoutOpaque_t& layout, cudaDataType_t type,
                         std::size_t height, std::size_t width) {
      DIFFIE_CUDA_CHECK(cublasLtMatrixLayoutInit(&layout, type, height, width,
                                                 static_cast<std::int64_t>(height)));
    };
    init(weight, kType<In>, k, n);
    init(x, kType<In>, k, rows);
    init(residual, kType<typename Linear<In, Out>::Wide>, n, rows);
    init(y, kType<Out>, n, rows);
  }
};

float largest(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

Handle make_handle() {
  cublasLtHandle_t handle = nullptr;
  DIFFIE_CUDA_CHECK(cublasLtCreate(&handle));
  return Handle(handle);
}

template <typename In, typename Out>
Linear<In, Out>::Linear(cublasLtHandle_t handle, std::span<const float> weight,
                        std::span<const float> bias, Activation activation)
    : handle_(handle),
      n_(bias.size()),
      k_(weight.size() / bias.size()),
      activation_(activation),
      bias_(upload<Wide>(bias)) {
  constexpr std::size_t kMultiple = std::is_same_v<In, Fp8> ? 16 : 8;
  if (n_ % kMultiple != 0 || k_ % kMultiple != 0) {
    throw Error(ErrorCode::kUnsupported, fmt::format("CUDA: a layer of {} x {}, wanted multiples "
                                                     "of {}",
                                                     n_, k_, kMultiple));
  }
  if constexpr (std::is_same_v<In, Fp8>) {
    const float top = largest(weight);
    const float scale = top > 0 ? top / kLargestFp8 : 1.0f;
    std::vector<float> scaled(weight.begin(), weight.end());
    for (float& value : scaled) value /= scale;
    weight_ = upload<Fp8>(scaled);
    scale_ = to_device(std::span(&scale, 1));
  } else {
    weight_ = upload<In>(weight);
  }
  describe();
  algo_ = choose();
}

template <typename In, typename Out>
void Linear<In, Out>::describe() {
  cublasLtMatmulDesc_t matmul = nullptr;
  DIFFIE_CUDA_CHECK(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  matmul_.reset(matmul);
  const bool fused = activation_ == Activation::kGelu && !std::is_same_v<Out, float>;
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE,
      fused ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_BIAS);
  set(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias_.data()));
  set(matmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, kType<Wide>);
  if constexpr (std::is_same_v<In, Fp8>) {
    set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(scale_.data()));
    // Sums of some hundred products lose less than the inputs' rounding.
    set(matmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  }
}

template <typename In, typename Out>
Linear<In, Out> Linear<In, Out>::load(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                                      const std::vector<std::string>& names, std::size_t n,
                                      std::size_t k, Activation activation) {
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

template <typename In, typename Out>
cublasLtMatmulAlgo_t Linear<In, Out>::choose() const {
  Layouts<Linear> layouts(n_, k_, kTypicalRows);
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
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle_, matmul_.get(), &layouts.weight, &layouts.x, &layouts.residual, &layouts.y,
      &preference, static_cast<int>(found.size()), found.data(), &count);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED) DIFFIE_CUDA_CHECK(status);
  for (int i = 0; i < count; ++i) {
    std::int32_t parts = 1;
    DIFFIE_CUDA_CHECK(cublasLtMatmulAlgoConfigGetAttribute(
        &found[i].algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &parts, sizeof(parts), nullptr));
    if (parts <= 1 && found[i].workspaceSize == 0) return found[i].algo;
  }
  throw Error(ErrorCode::kUnsupported,
              fmt::format("CUDA: no way to multiply with a layer of {} x {}", n_, k_));
}

template <typename In, typename Out>
void Linear<In, Out>::apply(const In* x, std::size_t rows, Out* y, cudaStream_t stream,
                            const Wide* residual) const {
  if (rows == 0) return;
  Layouts<Linear> layouts(n_, k_, room(rows));
  const float one = 1, beta = residual == nullptr ? 0.0f : 1.0f;
  // Where nothing is added it is not read, but must not be y in another type.
  const void* const added = residual != nullptr         ? static_cast<const void*>(residual)
                            : std::is_same_v<Out, Wide> ? static_cast<const void*>(y)
                                                        : bias_.data();
  DIFFIE_CUDA_CHECK(cublasLtMatmul(handle_, matmul_.get(), &one, weight_.data(), &layouts.weight, x,
                                   &layouts.x, &beta, added, &layouts.residual, y, &layouts.y,
                                   &algo_, nullptr, 0, stream));
  if constexpr (std::is_same_v<Out, float>) {
    if (activation_ == Activation::kGelu) gelu(y, rows * n_, stream);
  }
}

template class Linear<float>;
template class Linear<Bf16>;
template class Linear<Half>;
template class Linear<Fp8, Bf16>;
template class Linear<Fp8, Fp8>;

}  // namespace diffie::cuda
