#include "train/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "diffie/error.h"
#include "model_dir/model_dir.h"

namespace diffie::train {
namespace {

bool ends_with(std::string_view name, std::string_view ending) { return name.ends_with(ending); }

bool is_norm(std::string_view name) {
  return name.find("norm") != std::string_view::npos ||
         name.find("LayerNorm") != std::string_view::npos;
}

torch::Tensor uniform(at::IntArrayRef shape, double bound, torch::Generator generator) {
  return torch::empty(shape).uniform_(-bound, bound, std::move(generator));
}

torch::Tensor normal(at::IntArrayRef shape, double deviation, torch::Generator generator) {
  return torch::empty(shape).normal_(0, deviation, std::move(generator));
}

torch::Tensor random_encoder_tensor(std::string_view name, at::IntArrayRef shape,
                                    const torch::Generator& generator) {
  if (ends_with(name, "bias")) return torch::zeros(shape);
  if (is_norm(name)) return torch::ones(shape);
  return normal(shape, 0.02, generator);
}

// `inputs` is that of the linear layer the tensor belongs to (its weight precedes its bias).
torch::Tensor random_denoiser_tensor(std::string_view name, at::IntArrayRef shape,
                                     std::int64_t inputs, const torch::Generator& generator) {
  if (is_norm(name)) return ends_with(name, "bias") ? torch::zeros(shape) : torch::ones(shape);
  if (ends_with(name, "qkv.bias") || ends_with(name, "out.bias")) return torch::zeros(shape);
  if (ends_with(name, "qkv.weight")) {
    return uniform(shape, std::sqrt(6.0 / static_cast<double>(shape[0] + shape[1])), generator);
  }
  if (ends_with(name, ".tag.weight") || ends_with(name, ".time.weight")) {
    return normal(shape, 1.0, generator);
  }
  return uniform(shape, 1.0 / std::sqrt(static_cast<double>(inputs)), generator);
}

const model_dir::TensorView* find_in(const std::vector<model_dir::SafetensorsFile>& files,
                                     std::string_view name) {
  for (const model_dir::SafetensorsFile& file : files) {
    if (const model_dir::TensorView* tensor = file.find(name)) return tensor;
  }
  return nullptr;
}

torch::Tensor to_tensor(const model_dir::TensorView& view, at::IntArrayRef shape,
                        const model_dir::TensorView* scale) {
  const std::vector<std::uint64_t> wanted(shape.begin(), shape.end());
  if (view.shape != wanted) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("tensor '{}' has shape [{}], [{}] is wanted", view.name,
                            fmt::join(view.shape, ", "), fmt::join(wanted, ", ")));
  }
  torch::Tensor tensor = torch::empty(shape, torch::kFloat32);
  model_dir::to_f32(view, scale,
                    {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())});
  return tensor;
}

}  // namespace

void ParamSet::add(std::string name, torch::Tensor tensor) {
  index_.emplace(name, names_.size());
  names_.push_back(std::move(name));
  tensors_.push_back(std::move(tensor));
}

bool ParamSet::contains(std::string_view name) const { return index_.contains(name); }

const torch::Tensor& ParamSet::at(std::string_view name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("the model has no tensor '{}'", name));
  }
  return tensors_[found->second];
}

ParamSet ParamSet::to(torch::Device device, torch::ScalarType type) const {
  ParamSet copy;
  for (std::size_t i = 0; i < size(); ++i) {
    copy.add(names_[i],
             tensors_[i].detach().to(device, type, /*non_blocking=*/false, /*copy=*/true));
  }
  return copy;
}

bool computes_in_bf16(std::string_view name) {
  constexpr std::string_view kFp32[] = {"norm",         "LayerNorm",     "embeddings",
                                        "denoiser.tag", "denoiser.time", "judge.tag"};
  return std::none_of(std::begin(kFp32), std::end(kFp32), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

ParamSet inference_params(const ParamSet& params, torch::Device device, bool bf16) {
  ParamSet copy;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const std::string& name = params.names()[i];
    const auto type = bf16 && computes_in_bf16(name) ? torch::kBFloat16 : torch::kFloat32;
    copy.add(name, params.tensors()[i].detach().to(device, type));
  }
  return copy;
}

model_dir::ModelConfig model_config(const TrainConfig& config) {
  model_dir::ModelConfig model;
  model.name = config.name;
  model.encoder = config.encoder;
  model.denoiser = config.denoiser;
  model.diffusion = config.diffusion;
  if (has_judge(config)) model.judge = config.judge;
  return model;
}

std::vector<std::pair<std::string, std::vector<std::int64_t>>> param_shapes(
    const TrainConfig& config) {
  const bool tagger = config.objective == Objective::kTagger;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(model_config(config))) {
    if (tagger && !spec.name.starts_with("bert.")) continue;
    shapes.emplace_back(spec.name, std::vector<std::int64_t>(spec.shape.begin(), spec.shape.end()));
  }
  if (tagger) {
    shapes.push_back({"tagger.head.weight", {4, config.encoder.hidden}});
    shapes.push_back({"tagger.head.bias", {4}});
  }
  return shapes;
}

ParamSet random_params(const TrainConfig& config, std::uint64_t seed) {
  const torch::Generator generator = at::detail::createCPUGenerator(seed);
  ParamSet params;
  std::int64_t inputs = 1;
  for (const auto& [name, shape] : param_shapes(config)) {
    if (shape.size() == 2) inputs = shape[1];
    params.add(name, name.starts_with("bert.")
                         ? random_encoder_tensor(name, shape, generator)
                         : random_denoiser_tensor(name, shape, inputs, generator));
  }
  return params;
}

void load_encoder(const std::filesystem::path& path, ParamSet& params) {
  constexpr std::string_view kPrefix = "bert.";
  const model_dir::SafetensorsFile file = model_dir::SafetensorsFile::open(path);
  for (std::size_t i = 0; i < params.size(); ++i) {
    const std::string& name = params.names()[i];
    if (!name.starts_with(kPrefix)) continue;
    const model_dir::TensorView* view = file.find(name);
    if (!view) view = file.find(std::string_view(name).substr(kPrefix.size()));
    if (!view) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: no tensor '{}'", path.filename().string(), name));
    }
    torch::Tensor target = params.tensors()[i];
    target.copy_(to_tensor(*view, target.sizes(), file.find(view->name + ".scale")));
  }
}

ParamSet load_params(const std::vector<model_dir::SafetensorsFile>& files,
                     const TrainConfig& config, std::string_view prefix) {
  ParamSet params;
  for (const auto& [name, shape] : param_shapes(config)) {
    const std::string stored = std::string(prefix) + name;
    const model_dir::TensorView* view = find_in(files, stored);
    if (!view) {
      throw Error(ErrorCode::kCorruptModel, fmt::format("no tensor '{}'", stored));
    }
    params.add(name, to_tensor(*view, shape, find_in(files, stored + ".scale")));
  }
  return params;
}

}  // namespace diffie::train
