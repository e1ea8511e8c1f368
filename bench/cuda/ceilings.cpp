#include "ceilings.h"

#include <array>

#include "cuda/linear.h"

namespace diffie::cuda {
namespace {

constexpr std::uint64_t kSide = 8192;
constexpr std::size_t kWorkspace = 64 << 20;

// C [side, side] = A^T B, sums in fp32.
class LargeProduct {
 public:
  LargeProduct(const Stream& stream, RandomData& data)
      : stream_(stream), a_(data.bf16(kSide * kSide)), b_(data.bf16(kSide * kSide)) {
    c_.room(kSide * kSide);
    workspace_.room(kWorkspace);
    cublasLtMatmulDesc_t matmul = nullptr;
    DIFFIE_CUDA_CHECK(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    matmul_.reset(matmul);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    DIFFIE_CUDA_CHECK(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA,
                                                     &transposed, sizeof(transposed)));
    DIFFIE_CUDA_CHECK(cublasLtMatrixLayoutInit(&layout_, CUDA_R_16BF, kSide, kSide, kSide));
  }

  double best_us() {
    cublasLtMatmulPreferenceOpaque_t preference;
    DIFFIE_CUDA_CHECK(cublasLtMatmulPreferenceInit(&preference));
    DIFFIE_CUDA_CHECK(cublasLtMatmulPreferenceSetAttribute(
        &preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspace, sizeof(kWorkspace)));
    std::array<cublasLtMatmulHeuristicResult_t, 8> found{};
    int count = 0;
    DIFFIE_CUDA_CHECK(cublasLtMatmulAlgoGetHeuristic(
        handle_.get(), matmul_.get(), &layout_, &layout_, &layout_, &layout_, &preference,
        static_cast<int>(found.size()), found.data(), &count));
    double best = 0;
    for (int i = 0; i < count; ++i) {
      const double us = median_us(stream_, 1, [&](std::size_t) { run(found[i].algo); });
      if (best == 0 || us < best) best = us;
    }
    return best;
  }

 private:
  void run(const cublasLtMatmulAlgo_t& algo) {
    const float one = 1, zero = 0;
    DIFFIE_CUDA_CHECK(cublasLtMatmul(handle_.get(), matmul_.get(), &one, a_.data(), &layout_,
                                     b_.data(), &layout_, &zero, c_.data(), &layout_, c_.data(),
                                     &layout_, &algo, workspace_.data(), kWorkspace,
                                     stream_.get()));
  }

  const Stream& stream_;
  Handle handle_ = make_handle();
  Matmul matmul_;
  cublasLtMatrixLayoutOpaque_t layout_{};
  DeviceArray<Bf16> a_, b_, c_;
  DeviceArray<std::byte> workspace_;
};

double copied_bytes_per_s(const Stream& stream, RandomData& data) {
  constexpr std::size_t kCount = std::size_t{1} << 30, kBytes = kCount * sizeof(Bf16);
  const DeviceArray<Bf16> from = data.bf16(kCount);
  DeviceArray<Bf16> to;
  to.room(kCount);
  const double us = median_us(stream, 1, [&](std::size_t) {
    DIFFIE_CUDA_CHECK(
        cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, stream.get()));
  });
  return 2.0 * static_cast<double>(kBytes) / us * 1e6;
}

}  // namespace

Ceilings measure_ceilings(const Stream& stream, RandomData& data) {
  const double side = static_cast<double>(kSide);
  const double product_us = LargeProduct(stream, data).best_us();
  return {2 * side * side * side / product_us * 1e6, copied_bytes_per_s(stream, data)};
}

}  // namespace diffie::cuda
