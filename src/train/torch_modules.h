// The engine's encoder, denoiser and judge again, in LibTorch: what is trained. Functions over
// named tensors and padded batches: rows of one length, with a mask of the valid places.
#pragma once

#include <vector>

#include "train/params.h"
#include "train/torch.h"

namespace diffie::train {

struct Linear {
  torch::Tensor weight, bias;  // [out, in], [out]

  // Computes in the weight's type, whatever the type of x.
  torch::Tensor operator()(const torch::Tensor& x) const;
};

struct Norm {
  torch::Tensor weight, bias;
  double eps = 1e-5;

  torch::Tensor operator()(const torch::Tensor& x) const;
};

struct Dropout {
  double hidden = 0;
  double attention = 0;
};

struct TorchEncoder {
  struct Layer {
    Linear query, key, value, attention_out;
    Norm attention_norm;
    Linear up, down;
    Norm norm;
  };
  torch::Tensor words, positions, types;
  Norm embedding_norm;
  std::vector<Layer> layers;
  std::int64_t heads = 1;

  TorchEncoder(const ParamSet& params, const model_dir::EncoderConfig& config);

  // ids [sentences, length] with [CLS] and [SEP], valid [sentences, length] -> last hidden states
  // [sentences, length, hidden]. Dropout is applied where its rates are above 0.
  torch::Tensor forward(const torch::Tensor& ids, const torch::Tensor& valid,
                        const Dropout& dropout) const;
};

// What denoiser and judge have in common: rows of tags in the context of their sentence.
struct TorchRowNetwork {
  struct Block {
    Norm norm1, norm2;
    Linear qkv, out, up, down;
  };
  torch::Tensor tag;
  Linear context, fuse;
  Norm input_norm, final_norm;
  std::vector<Block> blocks;
  std::int64_t heads = 1;

  // prefix: "denoiser" or "judge".
  TorchRowNetwork(const ParamSet& params, const std::string& prefix,
                  const model_dir::DenoiserConfig& config);

  // context [sentences, length, encoder hidden] -> W_f,right (W_c c + b_c) + b_f
  // [sentences, length, hidden].
  torch::Tensor project(const torch::Tensor& context_states) const;

  // Embeddings [n, hidden] of what stands at a place -> W_f,left times them.
  torch::Tensor fuse_left(const torch::Tensor& embeddings) const;

  // projected [rows, length, hidden], index [rows, length] into table [n, hidden], valid
  // [rows, length] -> last hidden states [rows, length, hidden].
  torch::Tensor states(const torch::Tensor& projected, const torch::Tensor& table,
                       const torch::Tensor& index, const torch::Tensor& valid,
                       const Dropout& dropout) const;
};

struct TorchDenoiser : TorchRowNetwork {
  torch::Tensor time;
  Linear head;

  TorchDenoiser(const ParamSet& params, const model_dir::DenoiserConfig& config);

  // Rows of the input that depend on tag and step alone: [T * states, hidden], row
  // (t - 1) * states + y.
  torch::Tensor table() const;

  // projected [rows, length, hidden], states_at [rows, length] (0..4), steps [rows] (1..T),
  // valid [rows, length] -> logits [rows, length, 4] in fp32 (fp64 for fp64 weights).
  torch::Tensor forward(const torch::Tensor& projected, const torch::Tensor& states_at,
                        const torch::Tensor& steps, const torch::Tensor& valid,
                        const Dropout& dropout) const;
};

// The engine's judge (model/judge.h).
struct TorchJudge : TorchRowNetwork {
  Linear pool, head;

  TorchJudge(const ParamSet& params, const model_dir::DenoiserConfig& config);

  // projected [rows, length, hidden], tags [rows, length] (0..3), valid [rows, length] -> logits
  // [rows, 2] of (exact, lenient), in fp32.
  torch::Tensor forward(const torch::Tensor& projected, const torch::Tensor& tags,
                        const torch::Tensor& valid, const Dropout& dropout) const;
};

// Sets places to 0 with probability `rate` and scales the others so that the mean stays. On a CPU
// the rate is rounded to 1/256.
torch::Tensor drop(const torch::Tensor& x, double rate);

// bool [rows, length] -> additive attention mask [rows, 1, 1, length] of 0 and a very negative
// number.
torch::Tensor attention_bias(const torch::Tensor& valid, torch::ScalarType type);

// index [n] of 0..width-1 -> [n, width] of 0 and 1. Gathering by a product with it has a
// deterministic gradient on every device.
torch::Tensor one_hot(const torch::Tensor& index, std::int64_t width, torch::ScalarType type);

}  // namespace diffie::train
