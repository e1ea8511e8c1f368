// config.json: what is taken is written as it was read.
#include "fuzz.h"
#include "model_dir/model_config.h"
#include "model_dir/model_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace diffie;
  static const nlohmann::json valid = [] {
    model_dir::ModelConfig config;
    config.judge.emplace();
    config.implied_words = {"is", "has"};
    config.diffusion.kernel = diffusion::KernelKind::kAbsorbing;
    config.presets = model_dir::standard_presets(config.diffusion);
    config.provenance = {{"seed", "1"}};
    return nlohmann::json::parse(model_dir::to_json(config));
  }();
  const std::string text = fuzz::json_input(fuzz::as_text(data, size), valid);
  fuzz::accepted([&] {
    const model_dir::ModelConfig config = model_dir::parse_model_config(text, "config.json");
    const std::string written = model_dir::to_json(config);
    FUZZ_CHECK(model_dir::to_json(model_dir::parse_model_config(written, "again")) == written);
    FUZZ_CHECK(!model_dir::expected_tensors(config).empty());
  });
  return 0;
}
