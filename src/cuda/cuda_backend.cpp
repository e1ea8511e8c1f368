#include "cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "cuda/device.h"
#include "cuda/device_backend.h"
#include "cuda/finite.h"
#include "cuda/kernels.h"
#include "cuda/networks.h"
#include "cuda/row_groups.h"
#include "cuda/small_calls.h"
#include "cuda/stream_clock.h"
#include "cuda/walker.h"
#include "diffie/error.h"

namespace diffie::cuda {
namespace {

// Tokens whose activations are held at a time: enough to fill the GPU, few enough that memory stays
// small.
constexpr std::size_t kEncoderGroupTokens = 10240;
constexpr std::size_t kRoundTokens = 8192;  // of rows

// Encoding and drawing fill the GPU by themselves; rounds of rows are short, and several are needed
// to fill it.
template <typename T>
struct Pools {
  ScratchPool<T> large{2};
  ScratchPool<T> rounds{4};
};

template <typename T, typename In>
class CudaRunner final : public model::Runner {
 public:
  CudaRunner(const Networks<T, In>& networks, Pools<T>& scratch, bool judges)
      : networks_(networks),
        scratch_(scratch),
        judges_(judges),
        walker_(std::in_place, networks.denoiser, scratch.large, stream_) {}

  std::unique_ptr<model::Context> make_context() const override {
    return std::make_unique<CudaContext<T>>();
  }

  void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
              model::Context& context) override;
  void denoise(const model::Context& context, const model::RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step,
               std::span<float> logits) override;
  bool draws() const override { return true; }
  std::vector<model::DrawnRows> draw(const model::Context& context, const diffusion::Chain& chain,
                                     std::span<const model::DrawBlock> blocks,
                                     const model::BeforeStep& before_step) override {
    const auto& encoded = static_cast<const CudaContext<T>&>(context);
    clock_.begin("denoise");
    auto drawn =
        walker_->walk({encoded.for_denoiser.data(), encoded.tokens}, chain, blocks, before_step);
    clock_.end();
    return drawn;
  }
  void judge(const model::Context& context, const model::RowBatch& rows,
             std::span<const std::uint8_t> tags, std::span<model::Judgement> judgements) override;
  void release() override;
  void record_into(base::TimedRow& row) override { clock_.record_into(row); }

 private:
  RowsOnDevice send(const model::RowBatch& rows, std::span<const std::uint8_t> states);
  SmallCalls<T, In>& small() {
    return small_ ? *small_ : small_.emplace(networks_, judges_, stream_);
  }
  // Waits for all that was asked for and copies it.
  void fetch(const float* from, std::span<float> to);

  const Networks<T, In>& networks_;
  Pools<T>& scratch_;
  bool judges_;
  Stream stream_;
  StreamClock clock_{stream_};
  std::optional<Walker<T, In>> walker_;     // always there
  std::optional<SmallCalls<T, In>> small_;  // none: there was none yet
  Upload upload_;
  DeviceArray<float> result_;
  PinnedArray<float> fetched_;
};

template <typename T, typename In>
void CudaRunner<T, In>::encode(std::span<const std::int32_t> ids,
                               std::span<const std::uint32_t> row_offsets,
                               model::Context& context) {
  auto& result = static_cast<CudaContext<T>&>(context);
  const std::size_t tokens = ids.size();
  if (SmallCalls<T, In>::takes_sentences(tokens, row_offsets.size() - 1)) {
    clock_.begin("encode");
    small().encode(ids, row_offsets, result);
    clock_.end();
    return;
  }
  upload_.begin(2 * ids.size_bytes() + row_offsets.size_bytes(), 3);
  const std::int32_t* device_ids = upload_.add(ids);
  const std::uint32_t* device_offsets = upload_.add(row_offsets);
  const auto positions = upload_.template place<std::uint32_t>(tokens);
  fill_positions(row_offsets, positions.host);
  upload_.send(stream_);
  const Contexts<T> all = result.room(networks_, tokens, judges_);
  const typename ScratchPool<T>::Loan scratch(scratch_.large, stream_);
  clock_.begin("encode");
  model::for_row_groups(row_offsets, kEncoderGroupTokens, [&](std::size_t first, std::size_t end) {
    const std::size_t begin = row_offsets[first];
    const EncoderGroup group{
        device_ids + begin,       positions.device + begin,
        device_offsets + first,   end - first,
        row_offsets[end] - begin, model::longest_row(row_offsets.subspan(first, end - first + 1))};
    Contexts<T> to{all.for_denoiser + begin * networks_.denoiser.rows.hidden()};
    if (judges_) to.for_judge = all.for_judge + begin * networks_.judge->rows.hidden();
    networks_.encode(group, to, *scratch, stream_.get());
  });
  clock_.end();
  stream_.wait();  // the scratch memory goes to others
}

template <typename T, typename In>
RowsOnDevice CudaRunner<T, In>::send(const model::RowBatch& rows,
                                     std::span<const std::uint8_t> states) {
  DIFFIE_ASSERT(rows.offsets.size() == rows.context_begin.size() + 1 &&
                rows.offsets.back() == states.size());
  upload_.begin(states.size() * 5 + rows.offsets.size_bytes(), 3);
  const std::uint8_t* device_states = upload_.add(states);
  const std::uint32_t* device_offsets = upload_.add(rows.offsets);
  const auto context_token = upload_.template place<std::uint32_t>(states.size());
  fill_context_tokens(rows, context_token.host);
  upload_.send(stream_);
  return {device_states, context_token.device, device_offsets};
}

template <typename T, typename In>
void CudaRunner<T, In>::fetch(const float* from, std::span<float> to) {
  float* const pinned = fetched_.room(to.size());
  DIFFIE_CUDA_CHECK(
      cudaMemcpyAsync(pinned, from, to.size_bytes(), cudaMemcpyDeviceToHost, stream_.get()));
  clock_.end();
  stream_.wait();
  std::copy_n(pinned, to.size(), to.begin());
}

template <typename T, typename In>
void CudaRunner<T, In>::denoise(const model::Context& context, const model::RowBatch& rows,
                                std::span<const std::uint8_t> states, std::int32_t step,
                                std::span<float> logits) {
  DIFFIE_ASSERT(logits.size() == states.size() * kNumTags);
  if (states.empty()) return;
  const auto& encoded = static_cast<const CudaContext<T>&>(context);
  if (SmallCalls<T, In>::takes_rows(states.size(), rows.context_begin.size())) {
    clock_.begin("denoise");
    small().denoise(encoded, rows, states, step, logits);
    clock_.end();
    return;
  }
  const RowsOnDevice on_device = send(rows, states);
  float* const result = result_.room(logits.size());
  const typename ScratchPool<T>::Loan scratch(scratch_.rounds, stream_);
  clock_.begin("denoise");
  for_groups(rows.offsets, on_device, kRoundTokens, [&](std::size_t first, const RowGroup& group) {
    networks_.denoiser.answer({encoded.for_denoiser.data(), step}, group, *scratch,
                              result + rows.offsets[first] * kNumTags, stream_.get());
  });
  fetch(result, logits);
  check_finite<T>(logits);
}

template <typename T, typename In>
void CudaRunner<T, In>::judge(const model::Context& context, const model::RowBatch& rows,
                              std::span<const std::uint8_t> tags,
                              std::span<model::Judgement> judgements) {
  DIFFIE_ASSERT(judges_ && judgements.size() == rows.context_begin.size());
  if (judgements.empty()) return;
  const auto& encoded = static_cast<const CudaContext<T>&>(context);
  if (SmallCalls<T, In>::takes_rows(tags.size(), judgements.size())) {
    clock_.begin("judge");
    small().judge(encoded, rows, tags, judgements);
    clock_.end();
    return;
  }
  const JudgeNetwork<T>& judge = *networks_.judge;
  const std::size_t hidden = judge.rows.hidden();
  const std::size_t num_rows = judgements.size();
  const RowsOnDevice on_device = send(rows, tags);
  float* const result = result_.room(num_rows * model_dir::kNumJudgements);
  const typename ScratchPool<T>::Loan scratch(scratch_.rounds, stream_);
  clock_.begin("judge");
  T* const means = (*scratch).means.room(num_rows * kNumTags * hidden);
  for_groups(rows.offsets, on_device, kRoundTokens, [&](std::size_t first, const RowGroup& group) {
    judge.read(encoded.for_judge.data(), group, *scratch, means + first * kNumTags * hidden,
               stream_.get());
  });
  judge.conclude(means, num_rows, *scratch, result, stream_.get());
  std::vector<float> numbers(num_rows * model_dir::kNumJudgements);
  fetch(result, numbers);
  check_finite<T>(numbers);
  for (std::size_t row = 0; row < num_rows; ++row) {
    judgements[row] = {numbers[2 * row], numbers[2 * row + 1]};
  }
}

template <typename T, typename In>
void CudaRunner<T, In>::release() {
  stream_.wait();  // a call that failed may have left work behind
  walker_.emplace(networks_.denoiser, scratch_.large, stream_);
  small_.reset();
  upload_ = {};
  result_ = {};
  fetched_ = {};
  scratch_.large.release();
  scratch_.rounds.release();
}

template <typename T, typename In>
class CudaBackend final : public model::Backend {
 public:
  explicit CudaBackend(const model_dir::ModelDir& dir) : networks_(dir) {}

  std::unique_ptr<model::Runner> make_runner(bool judges) const override {
    DIFFIE_ASSERT(!judges || networks_.judge);
    return std::make_unique<CudaRunner<T, In>>(networks_, scratch_, judges);
  }
  bool waits() const override { return true; }

 private:
  Networks<T, In> networks_;
  mutable Pools<T> scratch_;  // their own locks
};

void check_size(const char* name, std::int32_t hidden, std::int32_t heads) {
  const bool fits = static_cast<std::size_t>(hidden) <= kMaxColumns &&
                    static_cast<std::size_t>(hidden / heads) <= kMaxHeadDim;
  if (fits) return;
  throw Error(ErrorCode::kUnsupported,
              fmt::format("CUDA: {} of {} columns and {} heads, wanted at most {} columns and {} a "
                          "head",
                          name, hidden, heads, kMaxColumns, kMaxHeadDim));
}

void check_fp8(const model_dir::DenoiserConfig& denoiser) {
  if (const Capability found = capability(); !found.has_fp8()) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("precision is fp8: the GPU has compute capability {}.{}, wanted {}.{}; "
                            "the code for it is for {}.{}, wanted {}.{}",
                            found.of_gpu / 10, found.of_gpu % 10, kOldestWithFp8 / 10,
                            kOldestWithFp8 % 10, found.of_code / 10, found.of_code % 10,
                            kOldestWithBf16 / 10, kOldestWithBf16 % 10));
  }
  if (!is_tensor_head(static_cast<std::size_t>(denoiser.hidden / denoiser.heads))) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("precision is fp8: heads of {} columns, wanted 16, 32 or 64",
                            denoiser.hidden / denoiser.heads));
  }
}

}  // namespace

std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir,
                                                   model::Precision precision, std::int32_t gpu) {
  const model_dir::ModelConfig& config = dir.config();
  check_size("an encoder", config.encoder.hidden, config.encoder.heads);
  check_size("a denoiser", config.denoiser.hidden, config.denoiser.heads);
  if (config.judge) check_size("a judge", config.judge->hidden, config.judge->heads);
  return std::make_unique<DeviceBackend>(gpu, [&]() -> std::unique_ptr<const model::Backend> {
    switch (precision) {
      case model::Precision::kFp32:
        return std::make_unique<CudaBackend<float, float>>(dir);
      case model::Precision::kFp8:
        check_fp8(config.denoiser);
        return std::make_unique<CudaBackend<Bf16, Fp8>>(dir);
      case model::Precision::kInt8:
        if (capability().has_bf16()) return std::make_unique<CudaBackend<Bf16, Bf16>>(dir);
        break;
      case model::Precision::kFp16:
        break;
    }
    return std::make_unique<CudaBackend<Half, Half>>(dir);
  });
}

}  // namespace diffie::cuda
