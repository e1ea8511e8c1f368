#include "make_model_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "diffie/lab/model_files.h"

namespace diffie::cli {
namespace {

const std::map<std::string, WeightType> kWeightTypes = {{"fp32", WeightType::kF32},
                                                        {"fp16", WeightType::kF16},
                                                        {"bf16", WeightType::kBF16},
                                                        {"int8", WeightType::kI8}};

template <typename Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

// Each adds its subcommand to `model` and returns what it does.
Command add_init(CLI::App& model) {
  struct Options {
    std::string dir, vocab, encoder, weights = "fp32";
    InitOptions init;
  };
  const auto options = std::make_shared<Options>();
  InitOptions& init = options->init;
  CLI::App* app = model.add_subcommand("init", "Make a model directory with random weights");
  app->add_option("DIR", options->dir, "Directory to make")->required();
  app->add_option("--vocab", options->vocab, "vocab.txt (default: the one beside the encoder)");
  app->add_option("--encoder", options->encoder, "An imported encoder (default: random weights)");
  app->add_option("--name", init.name, "Name of the model")->capture_default_str();
  app->add_option("--encoder-layers", init.encoder_layers)->capture_default_str();
  app->add_option("--encoder-hidden", init.encoder_hidden)->capture_default_str();
  app->add_option("--encoder-heads", init.encoder_heads)->capture_default_str();
  app->add_option("--denoiser-layers", init.denoiser_layers)->capture_default_str();
  app->add_option("--denoiser-hidden", init.denoiser_hidden)->capture_default_str();
  app->add_option("--denoiser-heads", init.denoiser_heads)->capture_default_str();
  app->add_option("--judge-layers", init.judge_layers, "0: no judge")->capture_default_str();
  app->add_option("--judge-hidden", init.judge_hidden)->capture_default_str();
  app->add_option("--judge-heads", init.judge_heads)->capture_default_str();
  app->add_option("--kernel", init.kernel, "uniform, absorbing or anchored")->capture_default_str();
  app->add_option("--schedule", init.schedule, "cosine, linear, log-linear, mutual-information")
      ->capture_default_str();
  app->add_option("--steps", init.steps, "T, diffusion steps")->capture_default_str();
  app->add_option("--seed", init.seed)->capture_default_str();
  app->add_option("--weights", options->weights, "Type of the matrices")
      ->check(CLI::IsMember(names_of(kWeightTypes)))
      ->capture_default_str();
  return {app, [options] {
            options->init.vocab = options->vocab;
            options->init.encoder = options->encoder;
            options->init.weights = kWeightTypes.at(options->weights);
            init_model(options->dir, options->init);
            return kExitOk;
          }};
}

Command add_convert(CLI::App& model) {
  struct Options {
    std::string in, out, weights;
    std::vector<std::string> mean;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* app =
      model.add_subcommand("convert", "Write a model with its matrices in another type");
  app->add_option("IN", options->in, "Model directory")->required();
  app->add_option("OUT", options->out, "Directory to make")->required();
  app->add_option("--weights", options->weights, "Type of the matrices")
      ->check(CLI::IsMember(names_of(kWeightTypes)))
      ->required();
  app->add_option("--mean", options->mean,
                  "Further models of the same architecture: the mean of all weights");
  return {app, [options] {
            convert_model(options->in, options->out, kWeightTypes.at(options->weights),
                          {options->mean.begin(), options->mean.end()});
            return kExitOk;
          }};
}

}  // namespace

Command add_make_model_command(CLI::App& app) {
  CLI::App* model = app.add_subcommand("model", "Make and convert model files");
  return add_group(*model, {add_init(*model), add_convert(*model)});
}

}  // namespace diffie::cli
