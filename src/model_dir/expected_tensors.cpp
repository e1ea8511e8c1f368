#include <fmt/format.h>

#include "model_dir/model_dir.h"

namespace diffie::model_dir {
namespace {

class SpecList {
 public:
  void matrix(std::string name, std::uint64_t rows, std::uint64_t cols) {
    specs_.push_back({std::move(name), {rows, cols}});
  }
  void linear(const std::string& name, std::uint64_t out, std::uint64_t in) {
    matrix(name + ".weight", out, in);
    specs_.push_back({name + ".bias", {out}});
  }
  void norm(const std::string& name, std::uint64_t width) {
    specs_.push_back({name + ".weight", {width}});
    specs_.push_back({name + ".bias", {width}});
  }
  std::vector<TensorSpec> take() { return std::move(specs_); }

 private:
  std::vector<TensorSpec> specs_;
};

void add_encoder(const EncoderConfig& encoder, SpecList& list) {
  const auto hidden = encoder.hidden;
  const auto intermediate = encoder.intermediate;
  list.matrix("bert.embeddings.word_embeddings.weight", encoder.vocab_size, hidden);
  list.matrix("bert.embeddings.position_embeddings.weight", encoder.max_positions, hidden);
  list.matrix("bert.embeddings.token_type_embeddings.weight", encoder.type_vocab, hidden);
  list.norm("bert.embeddings.LayerNorm", hidden);
  for (std::int32_t layer = 0; layer < encoder.layers; ++layer) {
    const std::string prefix = fmt::format("bert.encoder.layer.{}", layer);
    list.linear(prefix + ".attention.self.query", hidden, hidden);
    list.linear(prefix + ".attention.self.key", hidden, hidden);
    list.linear(prefix + ".attention.self.value", hidden, hidden);
    list.linear(prefix + ".attention.output.dense", hidden, hidden);
    list.norm(prefix + ".attention.output.LayerNorm", hidden);
    list.linear(prefix + ".intermediate.dense", intermediate, hidden);
    list.linear(prefix + ".output.dense", hidden, intermediate);
    list.norm(prefix + ".output.LayerNorm", hidden);
  }
}

// What denoiser and judge have in common: from the fusion to the last norm.
void add_blocks(const std::string& name, const DenoiserConfig& shape, std::uint64_t context,
                SpecList& list) {
  const auto width = static_cast<std::uint64_t>(shape.hidden);
  list.linear(name + ".context", width, context);
  list.linear(name + ".fuse", width, 2 * width);
  list.norm(name + ".input_norm", width);
  for (std::int32_t block = 0; block < shape.layers; ++block) {
    const std::string prefix = fmt::format("{}.blocks.{}", name, block);
    list.norm(prefix + ".norm1", width);
    list.linear(prefix + ".qkv", 3 * width, width);
    list.linear(prefix + ".out", width, width);
    list.norm(prefix + ".norm2", width);
    list.linear(prefix + ".up", 4 * width, width);
    list.linear(prefix + ".down", width, 4 * width);
  }
  list.norm(name + ".final_norm", width);
}

void add_denoiser(const ModelConfig& config, SpecList& list) {
  const auto width = config.denoiser.hidden;
  list.matrix("denoiser.tag.weight", config.num_states(), width);
  list.matrix("denoiser.time.weight", config.diffusion.steps, width);
  add_blocks("denoiser", config.denoiser, config.encoder.hidden, list);
  list.linear("denoiser.head", config.num_tags(), width);
}

void add_judge(const ModelConfig& config, SpecList& list) {
  const auto width = static_cast<std::uint64_t>(config.judge->hidden);
  const auto tags = static_cast<std::uint64_t>(config.num_tags());
  list.matrix("judge.tag.weight", tags, width);
  add_blocks("judge", *config.judge, config.encoder.hidden, list);
  list.linear("judge.pool", width, tags * width);
  list.linear("judge.head", kNumJudgements, width);
}

}  // namespace

std::vector<TensorSpec> expected_tensors(const ModelConfig& config) {
  SpecList list;
  add_encoder(config.encoder, list);
  add_denoiser(config, list);
  if (config.judge) add_judge(config, list);
  return list.take();
}

}  // namespace diffie::model_dir
