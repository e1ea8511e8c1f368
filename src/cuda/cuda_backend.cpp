#include "cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "cuda/encoder.h"
#include "cuda/kernels.h"
#include "cuda/row_network.h"
#include "diffie/error.h"
#include "model/row_groups.h"

namespace diffie::cuda {
namespace {

// Tokens whose activations are held at a time: enough to fill the GPU together with the groups of
// other runners, few enough that memory stays small.
constexpr std::size_t kEncoderGroupTokens = 4096;
constexpr std::size_t kRowGroupTokens = 8192;

template <typename T>
struct CudaContext final : model::Context {
  DeviceArray<T> for_denoiser;  // [tokens, denoiser hidden]
  DeviceArray<T> for_judge;     // [tokens, judge hidden]
};

// What follows the last norm of a network, small enough for fp32.
struct Head {
  DeviceArray<float> weight;
  DeviceArray<float> bias;

  Head(const model_dir::ModelDir& dir, const std::string& name, std::size_t outputs,
       std::size_t hidden)
      : weight(to_device<float>(dir.floats(name + ".weight", {static_cast<std::int64_t>(outputs),
                                                              static_cast<std::int64_t>(hidden)}))),
        bias(to_device<float>(dir.floats(name + ".bias", {static_cast<std::int64_t>(outputs)}))) {}
};

template <typename T>
struct JudgeNetwork {
  RowNetwork<T> rows;
  Linear<T> pool;
  Head head;

  JudgeNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir)
      : rows(handle, dir, model::judge_shape(dir.config())),
        pool(Linear<T>::load(handle, dir, {"judge.pool"}, rows.hidden(), kNumTags * rows.hidden(),
                             Activation::kGelu)),
        head(dir, "judge.head", model_dir::kNumJudgements, rows.hidden()) {}
};

template <typename T>
struct Networks {
  Handle handle;
  Encoder<T> encoder;
  RowNetwork<T> denoiser;
  Head denoiser_head;
  std::optional<JudgeNetwork<T>> judge;  // none: the model has none

  explicit Networks(const model_dir::ModelDir& dir)
      : handle(make_handle()),
        encoder(handle.get(), dir),
        denoiser(handle.get(), dir, model::denoiser_shape(dir.config())),
        denoiser_head(dir, "denoiser.head", kNumTags, denoiser.hidden()) {
    if (dir.config().judge) judge.emplace(handle.get(), dir);
  }
};

template <typename T>
class CudaRunner final : public model::Runner {
 public:
  CudaRunner(const Networks<T>& networks, ScratchPool<T>& scratch, bool judges)
      : networks_(networks), scratch_(scratch), judges_(judges) {}

  std::unique_ptr<model::Context> make_context() const override {
    return std::make_unique<CudaContext<T>>();
  }

  void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
              model::Context& context) override;
  void denoise(const model::Context& context, const model::RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step,
               std::span<float> logits) override;
  void judge(const model::Context& context, const model::RowBatch& rows,
             std::span<const std::uint8_t> tags, std::span<model::Judgement> judgements) override;

 private:
  // The rows of a call on the GPU.
  struct Rows {
    const std::uint8_t* states;
    const std::uint32_t* context_token;
    const std::uint32_t* offsets;
  };
  Rows send(const model::RowBatch& rows, std::span<const std::uint8_t> states);
  template <typename Take>
  void for_groups(const RowNetwork<T>& network, const T* projected, const model::RowBatch& batch,
                  const Rows& rows, std::int32_t step, Scratch<T>& scratch, Take take);
  // Waits for all that was asked for and copies it.
  void fetch(const float* from, std::span<float> to);

  const Networks<T>& networks_;
  ScratchPool<T>& scratch_;
  bool judges_;
  Stream stream_;
  Upload upload_;
  DeviceArray<float> result_;
  PinnedArray<float> fetched_;
};

template <typename T>
void CudaRunner<T>::encode(std::span<const std::int32_t> ids,
                           std::span<const std::uint32_t> row_offsets, model::Context& context) {
  auto& result = static_cast<CudaContext<T>&>(context);
  const std::size_t tokens = ids.size();
  upload_.begin(2 * ids.size_bytes() + row_offsets.size_bytes(), 3);
  const std::int32_t* device_ids = upload_.add(ids);
  const std::uint32_t* device_offsets = upload_.add(row_offsets);
  const auto positions = upload_.template place<std::uint32_t>(tokens);
  for (std::size_t row = 0; row + 1 < row_offsets.size(); ++row) {
    for (std::uint32_t token = row_offsets[row]; token < row_offsets[row + 1]; ++token) {
      positions.host[token] = token - row_offsets[row];
    }
  }
  upload_.send(stream_);
  const std::size_t denoiser_hidden = networks_.denoiser.hidden();
  result.for_denoiser.room(tokens * denoiser_hidden);
  if (judges_) result.for_judge.room(tokens * networks_.judge->rows.hidden());
  const typename ScratchPool<T>::Loan scratch(scratch_, stream_);
  model::for_row_groups(row_offsets, kEncoderGroupTokens, [&](std::size_t first, std::size_t end) {
    const std::size_t begin = row_offsets[first];
    const EncoderGroup group{device_ids + begin, positions.device + begin, device_offsets + first,
                             end - first, row_offsets[end] - begin};
    const T* hidden = networks_.encoder.forward(group, *scratch, stream_.get());
    networks_.denoiser.project_context(
        hidden, group.tokens, result.for_denoiser.data() + begin * denoiser_hidden, stream_.get());
    if (!judges_) return;
    const RowNetwork<T>& judge = networks_.judge->rows;
    judge.project_context(hidden, group.tokens, result.for_judge.data() + begin * judge.hidden(),
                          stream_.get());
  });
  stream_.wait();  // others may read the context
}

template <typename T>
typename CudaRunner<T>::Rows CudaRunner<T>::send(const model::RowBatch& rows,
                                                 std::span<const std::uint8_t> states) {
  const std::size_t num_rows = rows.context_begin.size();
  DIFFIE_ASSERT(rows.offsets.size() == num_rows + 1 && rows.offsets.back() == states.size());
  upload_.begin(states.size() * 5 + rows.offsets.size_bytes(), 3);
  const std::uint8_t* device_states = upload_.add(states);
  const std::uint32_t* device_offsets = upload_.add(rows.offsets);
  const auto context_token = upload_.template place<std::uint32_t>(states.size());
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::uint32_t token = rows.offsets[row]; token < rows.offsets[row + 1]; ++token) {
      context_token.host[token] = rows.context_begin[row] + token - rows.offsets[row];
    }
  }
  upload_.send(stream_);
  return {device_states, context_token.device, device_offsets};
}

// Calls take(first, group, values) for consecutive rows, the first of which is `first`.
template <typename T>
template <typename Take>
void CudaRunner<T>::for_groups(const RowNetwork<T>& network, const T* projected,
                               const model::RowBatch& batch, const Rows& rows, std::int32_t step,
                               Scratch<T>& scratch, Take take) {
  model::for_row_groups(batch.offsets, kRowGroupTokens, [&](std::size_t first, std::size_t end) {
    const std::size_t begin = batch.offsets[first];
    const RowGroup group{rows.states + begin, rows.context_token + begin, rows.offsets + first,
                         end - first, batch.offsets[end] - begin};
    if (group.tokens == 0) return;
    take(first, group, network.forward(projected, group, step, scratch, stream_.get()));
  });
}

template <typename T>
void CudaRunner<T>::fetch(const float* from, std::span<float> to) {
  float* const pinned = fetched_.room(to.size());
  DIFFIE_CUDA_CHECK(
      cudaMemcpyAsync(pinned, from, to.size_bytes(), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::copy_n(pinned, to.size(), to.begin());
}

template <typename T>
void CudaRunner<T>::denoise(const model::Context& context, const model::RowBatch& rows,
                            std::span<const std::uint8_t> states, std::int32_t step,
                            std::span<float> logits) {
  DIFFIE_ASSERT(logits.size() == states.size() * kNumTags);
  if (states.empty()) return;
  const auto& encoded = static_cast<const CudaContext<T>&>(context);
  const Rows on_device = send(rows, states);
  float* const result = result_.room(logits.size());
  const typename ScratchPool<T>::Loan scratch(scratch_, stream_);
  for_groups(networks_.denoiser, encoded.for_denoiser.data(), rows, on_device, step, *scratch,
             [&](std::size_t first, const RowGroup& group, const T* values) {
               const Head& head = networks_.denoiser_head;
               tag_head(values, head.weight.data(), head.bias.data(), networks_.denoiser.hidden(),
                        group.tokens, result + rows.offsets[first] * kNumTags, stream_.get());
             });
  fetch(result, logits);
}

template <typename T>
void CudaRunner<T>::judge(const model::Context& context, const model::RowBatch& rows,
                          std::span<const std::uint8_t> tags,
                          std::span<model::Judgement> judgements) {
  DIFFIE_ASSERT(judges_ && judgements.size() == rows.context_begin.size());
  if (judgements.empty()) return;
  const auto& encoded = static_cast<const CudaContext<T>&>(context);
  const JudgeNetwork<T>& judge = *networks_.judge;
  const std::size_t hidden = judge.rows.hidden();
  const std::size_t num_rows = judgements.size();
  const Rows on_device = send(rows, tags);
  float* const result = result_.room(num_rows * model_dir::kNumJudgements);
  const typename ScratchPool<T>::Loan scratch(scratch_, stream_);
  T* const means = (*scratch).means.room(num_rows * kNumTags * hidden);
  T* const pooled = (*scratch).pooled.room(num_rows * hidden);
  for_groups(judge.rows, encoded.for_judge.data(), rows, on_device, 1, *scratch,
             [&](std::size_t first, const RowGroup& group, const T* values) {
               tag_means(values, group.states, group.offsets, group.rows, hidden,
                         means + first * kNumTags * hidden, stream_.get());
             });
  judge.pool.apply(means, num_rows, pooled, stream_.get());
  judge_head(pooled, judge.head.weight.data(), judge.head.bias.data(), hidden, num_rows, result,
             stream_.get());
  std::vector<float> numbers(num_rows * model_dir::kNumJudgements);
  fetch(result, numbers);
  for (std::size_t row = 0; row < num_rows; ++row) {
    judgements[row] = {numbers[2 * row], numbers[2 * row + 1]};
  }
}

template <typename T>
class CudaBackend final : public model::Backend {
 public:
  explicit CudaBackend(const model_dir::ModelDir& dir) : networks_(dir) {}

  std::unique_ptr<model::Runner> make_runner(bool judges) const override {
    DIFFIE_ASSERT(!judges || networks_.judge);
    return std::make_unique<CudaRunner<T>>(networks_, scratch_, judges);
  }
  bool waits() const override { return true; }

 private:
  Networks<T> networks_;
  mutable ScratchPool<T> scratch_;  // its own lock
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

}  // namespace

std::string problem() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    cudaGetLastError();
    return cudaGetErrorString(status);
  }
  if (devices == 0) return "no CUDA-capable device is detected";
  cudaDeviceProp properties{};
  DIFFIE_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  constexpr int kOldest = 8;  // the first with bf16
  if (properties.major >= kOldest) return {};
  return fmt::format("{} has compute capability {}.{}, wanted {}.0", properties.name,
                     properties.major, properties.minor, kOldest);
}

std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir,
                                                   model::Precision precision) {
  const model_dir::ModelConfig& config = dir.config();
  check_size("an encoder", config.encoder.hidden, config.encoder.heads);
  check_size("a denoiser", config.denoiser.hidden, config.denoiser.heads);
  if (config.judge) check_size("a judge", config.judge->hidden, config.judge->heads);
  if (precision == model::Precision::kFp32) return std::make_unique<CudaBackend<float>>(dir);
  return std::make_unique<CudaBackend<Bf16>>(dir);
}

}  // namespace diffie::cuda
