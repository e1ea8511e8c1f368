// config.json: what is taken is written as it was read.
#include "diffusion/anchored_decoder.h"
#include "json_damage.h"
#include "model_dir/model_config.h"
#include "model_dir/model_dir.h"

namespace {

using namespace diffie;

// Two presets are as good as all: each is read in the same way.
fuzz::JsonDamage made_valid(diffusion::KernelKind kernel) {
  model_dir::ModelConfig config;
  config.judge.emplace();
  config.implied_words = {"is", "has"};
  config.diffusion.kernel = kernel;
  if (kernel == diffusion::KernelKind::kAnchored) config.diffusion.steps = diffusion::stage::kLast;
  config.presets = model_dir::standard_presets(config.diffusion);
  for (const char* const name : {"best", "paper"}) config.presets.erase(name);
  config.provenance = {{"seed", "1"}};
  const std::string written = model_dir::to_json(config);
  std::string compact;
  bool in_string = false;
  for (const char c : written) {
    in_string ^= c == '"';
    if (in_string || (c != ' ' && c != '\n')) compact += c;
  }
  FUZZ_CHECK(model_dir::to_json(model_dir::parse_model_config(compact, "valid")) == written);
  return fuzz::JsonDamage(compact);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::JsonDamage absorbing = made_valid(diffusion::KernelKind::kAbsorbing);
  static const fuzz::JsonDamage anchored = made_valid(diffusion::KernelKind::kAnchored);
  const fuzz::JsonDamage& valid = size > 0 && (data[0] & 2) != 0 ? anchored : absorbing;
  const std::string text = valid.from(fuzz::as_text(data, size));
  fuzz::accepted([&] {
    const model_dir::ModelConfig config = model_dir::parse_model_config(text, "config.json");
    const std::string written = model_dir::to_json(config);
    FUZZ_CHECK(model_dir::to_json(model_dir::parse_model_config(written, "again")) == written);
    FUZZ_CHECK(!model_dir::expected_tensors(config).empty());
  });
  return 0;
}
