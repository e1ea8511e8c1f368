// Version 1 of config.json: uniform and absorbing kernels, weights of all four types.
#include "diffie/model_files.h"

int main(int, char** argv) {
  const std::filesystem::path out = argv[1];
  diffie::InitOptions options;
  options.name = "old";
  options.vocab = argv[2];
  options.encoder_layers = options.denoiser_layers = 1;
  options.encoder_hidden = options.denoiser_hidden = 4;
  options.encoder_heads = options.denoiser_heads = 2;
  options.seed = 1;
  diffie::init_model(out / "models/v1-uniform-fp32", options);
  diffie::convert_model(out / "models/v1-uniform-fp32", out / "models/v1-uniform-bf16",
                        diffie::WeightType::kBF16);
  options.kernel = "absorbing";
  options.schedule = "log-linear";
  options.weights = diffie::WeightType::kF16;
  diffie::init_model(out / "models/v1-absorbing-fp16", options);
  diffie::convert_model(out / "models/v1-absorbing-fp16", out / "models/v1-absorbing-int8",
                        diffie::WeightType::kI8);
}
