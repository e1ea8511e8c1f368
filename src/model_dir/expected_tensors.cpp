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

void add_denoiser(const ModelConfig& config, SpecList& list) {
  const auto width = config.denoiser.hidden;
  list.matrix("denoiser.tag.weight", config.num_states(), width);
  list.matrix("denoiser.time.weight", config.diffusion.steps, width);
  list.linear("denoiser.context", width, config.encoder.hidden);
  list.linear("denoiser.fuse", width, 2 * width);
  list.norm("denoiser.input_norm", width);
  for (std::int32_t block = 0; block < config.denoiser.layers; ++block) {
    const std::string prefix = fmt::format("denoiser.blocks.{}", block);
    list.norm(prefix + ".norm1", width);
    list.linear(prefix + ".qkv", 3 * width, width);
    list.linear(prefix + ".out", width, width);
    list.norm(prefix + ".norm2", width);
    list.linear(prefix + ".up", 4 * width, width);
    list.linear(prefix + ".down", width, 4 * width);
  }
  list.norm("denoiser.final_norm", width);
  list.linear("denoiser.head", config.num_tags(), width);
}

}  // namespace

std::vector<TensorSpec> encoder_tensors(const EncoderConfig& encoder) {
  SpecList list;
  add_encoder(encoder, list);
  return list.take();
}

std::vector<TensorSpec> expected_tensors(const ModelConfig& config) {
  SpecList list;
  add_encoder(config.encoder, list);
  add_denoiser(config, list);
  return list.take();
}

}  // namespace diffie::model_dir
