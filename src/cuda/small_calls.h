// Calls of few tokens, as of one sentence alone. Starting kernel after kernel would take longer
// than they do, so the calls are recorded as graphs, one for each of a few sizes, over
// memory of their own; what fills up a size are rows without tokens and tokens of no row, which
// change nothing of the others.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/networks.h"
#include "cuda/recorded.h"

namespace diffie::cuda {

// Holds scratch memory: one per runner.
template <typename T, typename In>
class SmallCalls {
 public:
  static constexpr std::size_t kMostRows = 64;
  static constexpr std::size_t kMostTokens = 768;          // of rows
  static constexpr std::size_t kMostSentenceTokens = 256;  // of what is encoded

  static bool takes_sentences(std::size_t tokens, std::size_t rows) {
    return tokens <= kMostSentenceTokens && rows <= kMostRows;
  }
  static bool takes_rows(std::size_t tokens, std::size_t rows) {
    return tokens <= kMostTokens && rows <= kMostRows;
  }

  // What it records over must stay: networks and stream.
  SmallCalls(const Networks<T, In>& networks, bool judges, const Stream& stream);

  // As model::Runner has them. encode() does not wait: what is asked next comes after it.
  void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
              CudaContext<T>& context);
  void denoise(const CudaContext<T>& context, const model::RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step, std::span<float> logits);
  void judge(const CudaContext<T>& context, const model::RowBatch& rows,
             std::span<const std::uint8_t> tags, std::span<model::Judgement> judgements);

 private:
  struct SentenceInput {
    std::int32_t ids[kMostSentenceTokens];
    std::uint32_t positions[kMostSentenceTokens];
    std::uint32_t offsets[kMostRows + 1];
  };
  struct RowInput {
    std::uint32_t context_token[kMostTokens];
    std::uint32_t offsets[kMostRows + 1];
    std::uint8_t states[kMostTokens];
  };

  // Everything at its largest once, so that no recording allocates.
  void make_room();
  // Gives the size that they are filled up to.
  std::size_t fill(const model::RowBatch& rows, std::span<const std::uint8_t> states);
  RowGroup group_of(std::size_t tokens) const;
  void encode_on_gpu(std::size_t tokens, const Contexts<T>& to);
  void denoise_on_gpu(std::size_t tokens, std::int32_t step, const T* projected);
  void judge_on_gpu(std::size_t tokens, const T* projected);
  void wait() const { DIFFIE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  const Networks<T, In>& networks_;
  bool judges_;
  cudaStream_t stream_;
  PinnedArray<SentenceInput> sentences_;
  DeviceArray<SentenceInput> device_sentences_;
  PinnedArray<RowInput> rows_;
  DeviceArray<RowInput> device_rows_;
  Scratch<T> scratch_;
  DeviceArray<float> device_results_;
  PinnedArray<float> results_;
  Recordings recordings_;
};

}  // namespace diffie::cuda
