// A model's networks on one GPU, and what they leave there for each other.
#pragma once

#include <optional>

#include "cuda/encoder.h"
#include "cuda/head.h"
#include "cuda/row_network.h"
#include "model/backend.h"

namespace diffie::cuda {

template <typename T, typename In>
struct Denoiser {
  RowNetwork<T, In> rows;
  Head head;

  Denoiser(cublasLtHandle_t handle, const model_dir::ModelDir& dir)
      : rows(handle, dir, model::denoiser_shape(dir.config())),
        head(dir, "denoiser.head", kNumTags, rows.hidden()) {}

  // logits [group.tokens, 4]
  void answer(const Asked<T>& asked, const RowGroup& group, Scratch<T>& scratch, float* logits,
              cudaStream_t stream) const {
    const T* const values = rows.forward(asked, group, scratch, stream);
    tag_head(values, head.weight.data(), head.bias.data(), rows.hidden(), group.tokens, logits,
             stream);
  }
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

  // means [group.rows, 4, hidden] of the tokens of each tag.
  void read(const T* projected, const RowGroup& group, Scratch<T>& scratch, T* means,
            cudaStream_t stream) const {
    const T* const values = rows.forward({projected, 1}, group, scratch, stream);
    tag_means(values, group.states, group.offsets, group.rows, rows.hidden(), means, stream);
  }
  // means of all rows -> judgements [rows, 2]
  void conclude(const T* means, std::size_t num_rows, Scratch<T>& scratch, float* judgements,
                cudaStream_t stream) const {
    T* const pooled = scratch.pooled.room(num_rows * rows.hidden());
    pool.apply(means, num_rows, pooled, stream);
    judge_head(pooled, head.weight.data(), head.bias.data(), rows.hidden(), num_rows, judgements,
               stream);
  }
};

// What denoiser and judge see of encoded sentences.
template <typename T>
struct Contexts {
  T* for_denoiser = nullptr;  // [tokens, denoiser hidden]
  T* for_judge = nullptr;     // [tokens, judge hidden]; null: not wanted
};

// In: what the denoiser's products read.
template <typename T, typename In>
struct Networks {
  Handle handle;
  Encoder<T> encoder;
  Denoiser<T, In> denoiser;
  std::optional<JudgeNetwork<T>> judge;  // none: the model has none

  explicit Networks(const model_dir::ModelDir& dir)
      : handle(make_handle()), encoder(handle.get(), dir), denoiser(handle.get(), dir) {
    if (dir.config().judge) judge.emplace(handle.get(), dir);
  }

  // The contexts begin with the group's first token.
  void encode(const EncoderGroup& group, const Contexts<T>& to, Scratch<T>& scratch,
              cudaStream_t stream) const {
    const T* const hidden = encoder.forward(group, scratch, stream);
    denoiser.rows.project_context(hidden, group.tokens, to.for_denoiser, stream);
    if (to.for_judge == nullptr) return;
    judge->rows.project_context(hidden, group.tokens, to.for_judge, stream);
  }
};

template <typename T>
struct CudaContext final : model::Context {
  std::size_t tokens = 0;
  DeviceArray<T> for_denoiser;
  DeviceArray<T> for_judge;

  // Room for so many tokens of what the networks are asked for.
  template <typename In>
  Contexts<T> room(const Networks<T, In>& networks, std::size_t count, bool judges) {
    tokens = count;
    return {for_denoiser.room(count * networks.denoiser.rows.hidden()),
            judges ? for_judge.room(count * networks.judge->rows.hidden()) : nullptr};
  }
};

}  // namespace diffie::cuda
