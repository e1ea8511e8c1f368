// A model directory: config.json, weights, vocab.txt, MODEL_CARD.md, SHA256SUMS and, in some,
// ranker.json. Read as hostile.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/error.h"
#include "model_dir/model_config.h"
#include "model_dir/safetensors.h"

namespace diffie::model_dir {

// What is done with a problem that is found: it is thrown, or kept and the check goes on.
using Report = std::function<void(const Error& problem)>;

struct DirChecks {
  bool contents = true;   // SHA-256 sums, and values of the weights
  bool complete = false;  // also what no extraction needs: the card, no file without a sum
};

// Opened, with the config checked and every tensor that the architecture needs present in the right
// shape, and no other. Copies share the weights, whose files stay open while one of them lives.
class ModelDir {
 public:
  // Throws the first problem. `check_contents` as in DirChecks.
  static ModelDir open(const std::filesystem::path& dir, bool check_contents = true);
  // Reports every problem; none: it cannot be used. Where there was a problem, what is given is no
  // whole model and only its config may be looked at.
  static std::optional<ModelDir> read(const std::filesystem::path& dir, const DirChecks& checks,
                                      const Report& report);

  const std::filesystem::path& path() const { return path_; }
  const ModelConfig& config() const { return config_; }
  std::filesystem::path vocab_path() const { return path_ / "vocab.txt"; }
  // ranker.json, for the selector `learned`; empty: the model has none.
  std::filesystem::path ranker_path() const;

  const std::vector<SafetensorsFile>& weights() const { return *weights_; }
  const TensorView* find(std::string_view name) const;  // nullptr when absent
  // The tensor under this name from any of the weight files; throws kCorruptModel when absent.
  const TensorView& tensor(std::string_view name) const;
  // As fp32 with int8 scales applied; the shape must be exactly `shape`.
  std::vector<float> floats(std::string_view name, std::initializer_list<std::int64_t> shape) const;

 private:
  std::filesystem::path path_;
  ModelConfig config_;
  std::shared_ptr<const std::vector<SafetensorsFile>> weights_;
};

// Names are plain, so only a link could lead out of the directory. Throws kCorruptModel for one,
// kNotFound for what else is no regular file.
void check_own_file(const std::filesystem::path& path);

inline constexpr std::uint64_t kNumJudgements = 2;  // of a candidate: exact, lenient

// Names and shapes of all tensors that an architecture has; the contract between trainer, importer
// and engine. Linear weights are [out, in] as in PyTorch; d is the denoiser's hidden size.
//   bert.embeddings.{word_embeddings,position_embeddings,token_type_embeddings}.weight
//   bert.embeddings.LayerNorm.{weight,bias}
//   bert.encoder.layer.N.attention.self.{query,key,value}.{weight,bias}
//   bert.encoder.layer.N.attention.output.{dense,LayerNorm}.{weight,bias}
//   bert.encoder.layer.N.intermediate.dense.{weight,bias}
//   bert.encoder.layer.N.output.{dense,LayerNorm}.{weight,bias}
//   denoiser.tag.weight [states, d]
//   denoiser.time.weight [T, d]                        row t - 1 for step t
//   denoiser.context.{weight,bias} [d, encoder hidden]
//   denoiser.fuse.{weight,bias} [d, 2d]                tag half first
//   denoiser.input_norm.{weight,bias}
//   denoiser.blocks.N.{norm1,norm2}.{weight,bias}
//   denoiser.blocks.N.qkv.{weight,bias} [3d, d], .out.* [d, d], .up.* [4d, d], .down.* [d, 4d]
//   denoiser.final_norm.{weight,bias}
//   denoiser.head.{weight,bias} [4, d]
// and where the model has a judge, of hidden size e:
//   judge.{tag.weight [4, e],context,fuse,input_norm,blocks.N,final_norm}   as the denoiser's
//   judge.pool.{weight,bias} [e, 4e]                   the means of B, S, R, O one after another
//   judge.head.{weight,bias} [2, e]                    exact, lenient
struct TensorSpec {
  std::string name;
  std::vector<std::uint64_t> shape;

  bool operator==(const TensorSpec&) const = default;
};
std::vector<TensorSpec> expected_tensors(const ModelConfig& config);

// What is wrong with a tensor of a set that should hold `spec`; empty: nothing. An I8 matrix needs
// an F32 tensor NAME.scale with one value per row.
using FindTensor = std::function<const TensorView*(std::string_view name)>;
std::string tensor_problem(const TensorSpec& spec, const FindTensor& find);

// What is wrong with the numbers of a tensor; empty: nothing. None may be beyond 1024: no trained
// weight is, and from there on the networks' sums could leave the range of a float.
std::string values_problem(const TensorView& tensor);

// The same for what was read of a tensor after that check: throws kCorruptModel, so that no file
// that is changed while it is used brings in numbers that the networks do not bear.
void check_values(const TensorView& tensor, std::span<const float> values);

}  // namespace diffie::model_dir
