#include "cuda/small_calls.h"

#include <algorithm>
#include <bit>

#include "cuda/finite.h"
#include "cuda/row_groups.h"

namespace diffie::cuda {
namespace {

enum Kind { kEncode, kDenoise, kJudge };

// The recorded size that so many tokens are filled up to.
std::size_t size_of(std::size_t tokens, std::size_t most) {
  return std::min(std::bit_ceil(std::max<std::size_t>(tokens, 32)), most);
}

// The rows' ends, then rows without tokens.
void fill_offsets(std::span<const std::uint32_t> offsets, std::span<std::uint32_t> to) {
  const auto rest = std::copy(offsets.begin(), offsets.end(), to.begin());
  std::fill(rest, to.end(), offsets.back());
}

}  // namespace

template <typename T, typename In>
SmallCalls<T, In>::SmallCalls(const Networks<T, In>& networks, bool judges, const Stream& stream)
    : networks_(networks), judges_(judges), stream_(stream.get()) {
  make_room();
}

template <typename T, typename In>
void SmallCalls<T, In>::make_room() {
  *sentences_.room(1) = {};
  *rows_.room(1) = {};
  device_sentences_.room(1);
  device_rows_.room(1);
  constexpr std::size_t kMostResults =
      std::max(kMostTokens * kNumTags, kMostRows * model_dir::kNumJudgements);
  device_results_.room(kMostResults);
  results_.room(kMostResults);
  CudaContext<T> context;
  const Contexts<T> to = context.room(networks_, kMostSentenceTokens, judges_);
  encode_on_gpu(kMostSentenceTokens, to);
  denoise_on_gpu(kMostTokens, 1, to.for_denoiser);
  if (judges_) judge_on_gpu(kMostTokens, to.for_judge);
  wait();
}

template <typename T, typename In>
void SmallCalls<T, In>::encode(std::span<const std::int32_t> ids,
                               std::span<const std::uint32_t> row_offsets,
                               CudaContext<T>& context) {
  wait();  // what was sent before may still be read
  const std::size_t size = size_of(ids.size(), kMostSentenceTokens);
  const Contexts<T> to = context.room(networks_, size, judges_);
  SentenceInput& input = *sentences_.data();
  std::fill(std::copy(ids.begin(), ids.end(), input.ids), input.ids + size, 0);
  std::fill_n(input.positions, size, 0u);
  fill_positions(row_offsets, input.positions);
  fill_offsets(row_offsets, input.offsets);
  recordings_.run({kEncode, 0, size, to.for_denoiser, to.for_judge}, stream_,
                  [&] { encode_on_gpu(size, to); });
}

template <typename T, typename In>
std::size_t SmallCalls<T, In>::fill(const model::RowBatch& rows,
                                    std::span<const std::uint8_t> states) {
  const std::size_t size = size_of(states.size(), kMostTokens);
  RowInput& input = *rows_.data();
  std::fill(std::copy(states.begin(), states.end(), input.states), input.states + size,
            std::uint8_t{0});
  std::fill_n(input.context_token, size, 0u);
  fill_context_tokens(rows, input.context_token);
  fill_offsets(rows.offsets, input.offsets);
  return size;
}

template <typename T, typename In>
void SmallCalls<T, In>::denoise(const CudaContext<T>& context, const model::RowBatch& rows,
                                std::span<const std::uint8_t> states, std::int32_t step,
                                std::span<float> logits) {
  const std::size_t size = fill(rows, states);
  const T* const projected = context.for_denoiser.data();
  recordings_.run({kDenoise, step, size, projected, nullptr}, stream_,
                  [&] { denoise_on_gpu(size, step, projected); });
  wait();
  std::copy_n(results_.data(), logits.size(), logits.begin());
  check_finite<T>(logits);
}

template <typename T, typename In>
void SmallCalls<T, In>::judge(const CudaContext<T>& context, const model::RowBatch& rows,
                              std::span<const std::uint8_t> tags,
                              std::span<model::Judgement> judgements) {
  const std::size_t size = fill(rows, tags);
  const T* const projected = context.for_judge.data();
  recordings_.run({kJudge, 0, size, projected, nullptr}, stream_,
                  [&] { judge_on_gpu(size, projected); });
  wait();
  check_finite<T>({results_.data(), judgements.size() * model_dir::kNumJudgements});
  for (std::size_t row = 0; row < judgements.size(); ++row) {
    judgements[row] = {results_.data()[2 * row], results_.data()[2 * row + 1]};
  }
}

template <typename T, typename In>
void SmallCalls<T, In>::encode_on_gpu(std::size_t tokens, const Contexts<T>& to) {
  SentenceInput* const input = device_sentences_.data();
  DIFFIE_CUDA_CHECK(cudaMemcpyAsync(input, sentences_.data(), sizeof(SentenceInput),
                                    cudaMemcpyHostToDevice, stream_));
  networks_.encode({input->ids, input->positions, input->offsets, kMostRows, tokens, tokens}, to,
                   scratch_, stream_);
}

template <typename T, typename In>
RowGroup SmallCalls<T, In>::group_of(std::size_t tokens) const {
  const RowInput* const input = device_rows_.data();
  return {input->states, input->context_token, input->offsets, kMostRows, tokens, tokens};
}

template <typename T, typename In>
void SmallCalls<T, In>::denoise_on_gpu(std::size_t tokens, std::int32_t step, const T* projected) {
  DIFFIE_CUDA_CHECK(cudaMemcpyAsync(device_rows_.data(), rows_.data(), sizeof(RowInput),
                                    cudaMemcpyHostToDevice, stream_));
  float* const results = device_results_.data();
  networks_.denoiser.answer({projected, step}, group_of(tokens), scratch_, results, stream_);
  DIFFIE_CUDA_CHECK(cudaMemcpyAsync(results_.data(), results, tokens * kNumTags * sizeof(float),
                                    cudaMemcpyDeviceToHost, stream_));
}

template <typename T, typename In>
void SmallCalls<T, In>::judge_on_gpu(std::size_t tokens, const T* projected) {
  DIFFIE_CUDA_CHECK(cudaMemcpyAsync(device_rows_.data(), rows_.data(), sizeof(RowInput),
                                    cudaMemcpyHostToDevice, stream_));
  const JudgeNetwork<T>& judge = *networks_.judge;
  float* const results = device_results_.data();
  T* const means = scratch_.means.room(kMostRows * kNumTags * judge.rows.hidden());
  judge.read(projected, group_of(tokens), scratch_, means, stream_);
  judge.conclude(means, kMostRows, scratch_, results, stream_);
  DIFFIE_CUDA_CHECK(cudaMemcpyAsync(results_.data(), results,
                                    kMostRows * model_dir::kNumJudgements * sizeof(float),
                                    cudaMemcpyDeviceToHost, stream_));
}

template class SmallCalls<float, float>;
template class SmallCalls<Bf16, Bf16>;
template class SmallCalls<Half, Half>;
template class SmallCalls<Bf16, Fp8>;

}  // namespace diffie::cuda
