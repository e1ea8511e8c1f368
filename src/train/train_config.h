// One training run as a plain struct; read from and written to a TOML file. docs/training.md lists
// the keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "diffie/settings.h"
#include "model_dir/model_config.h"

namespace diffie::train {

enum class Objective {
  kDiffusion,  // uniform D3PM, absorbing MDLM or anchored, as diffusion.kernel says
  kTagger,     // encoder and a linear head; sampled by dropout
};
enum class RateDecay { kConstant, kLinear, kCosine };
enum class AbsorbingWeight {
  kPlain,  // mean cross-entropy of the masked positions
  kElbo,   // weighted by T (alpha_{t-1} - alpha_t) / (1 - alpha_t), mean over all positions
};

struct EvalConfig {
  std::int32_t every = 0;  // epochs between dev evaluations; 0: none
  std::int32_t steps = 0;  // 0: all T
  // samples, top_k, tau, power, rule and selector can be chosen
  Settings settings = {.samples = 64};
  bool on_device = false;  // sample on the device, with other random numbers than the engine's
};

struct TrainConfig {
  std::string name = "run";
  Objective objective = Objective::kDiffusion;
  std::int64_t seed = 0;
  std::int32_t epochs = 12;
  std::int32_t batch_size = 32;    // instances, or sentences
  bool whole_sentences = false;    // batches of sentences with all their instances
  std::int32_t levels = 1;         // noise levels per instance and step
  std::int32_t max_pieces = 200;   // longer sentences are left out
  std::int32_t bucket = 50;        // batches sorted by length together; 0: no sorting
  std::int32_t relaxations = 255;  // instances may need these alignment relaxations (a mask)
  bool bf16 = true;                // on CUDA; the CPU computes in fp32 ...
  bool cpu_bf16 = false;           // ... unless told otherwise
  bool deterministic = true;       // refuse kernels whose result may differ from run to run
  bool graphs = true;              // on CUDA: record the kernels of each shape of batch once

  model_dir::EncoderConfig encoder;
  std::int32_t frozen_layers = 0;  // lowest encoder layers
  bool freeze_embeddings = false;
  double encoder_dropout = 0.1;
  double attention_dropout = 0.1;

  model_dir::DenoiserConfig denoiser;
  double denoiser_dropout = 0.1;  // of the judge, too

  model_dir::DenoiserConfig judge = {.layers = 0, .hidden = 256, .heads = 8};  // 0 layers: none

  diffusion::DiffusionConfig diffusion;
  AbsorbingWeight absorbing_weight = AbsorbingWeight::kPlain;

  std::vector<double> class_weights = {0.7, 1.0, 1.0, 1.0};  // B, S, R, O
  double label_smoothing = 0;
  double tags_loss = 1;   // factor of the denoiser's loss; 0: the judge alone is trained
  double judge_loss = 1;  // factor of the judge's

  double rate = 2e-4;          // of denoiser and head
  double encoder_rate = 5e-5;  // of the top encoder layer
  double layer_decay = 1.0;    // rate of a layer = that of the layer above times this
  RateDecay decay = RateDecay::kConstant;
  std::int32_t warmup = 500;  // steps
  double weight_decay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double adam_eps = 1e-8;
  double clip = 1.0;  // largest gradient norm; 0: no clipping
  double ema = 0.0;   // decay of the averaged weights, which are then what is exported; 0: off

  EvalConfig eval;

  std::int32_t log_every = 50;          // steps
  std::int32_t checkpoint_every = 500;  // steps
  std::string weights = "f16";          // f32 | f16, type of the exported weights
  std::int32_t max_file_mb = 0;         // export in several files no larger than this; 0: one file

  // Throws kInvalidArgument naming the key, the value and what is allowed.
  void validate() const;
};

inline bool has_judge(const TrainConfig& config) { return config.judge.layers > 0; }

// Reads a run file and the files it is laid over (train/run_file.h), and "table.key=value" settings
// over them. Unknown keys, wrong types and values out of range are refused, naming the line.
TrainConfig read_train_config(const std::filesystem::path& path,
                              std::span<const std::string> settings = {});

inline bool is_anchored(const TrainConfig& config) {
  return config.objective == Objective::kDiffusion &&
         config.diffusion.kernel == diffusion::KernelKind::kAnchored;
}

// The settings of a dev evaluation, with its number of steps.
Settings eval_settings(const TrainConfig& config);

// A complete file that reads back as the same config.
std::string to_toml(const TrainConfig& config);

}  // namespace diffie::train
