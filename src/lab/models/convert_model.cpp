#include <fmt/format.h>

#include "diffie/error.h"
#include "diffie/lab/model_files.h"
#include "files/read_file.h"
#include "lab/models/model_dir_write.h"
#include "lab/models/quantize.h"
#include "model_dir/model_dir.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using namespace model_dir;
using namespace lab;

constexpr std::size_t kMaxTextBytes = 64 << 20;

constexpr std::string_view weight_name(WeightType type) {
  constexpr std::array<std::string_view, 4> kNames = {"fp32", "fp16", "bf16", "int8"};
  return kNames[static_cast<std::size_t>(type)];
}

std::vector<float> values_of(const ModelDir& model, const TensorSpec& spec) {
  const TensorView& tensor = model.tensor(spec.name);
  std::vector<float> values(tensor.num_elements());
  to_f32(tensor, model.find(spec.name + ".scale"), values);
  return values;
}

std::vector<float> mean_values(const std::vector<ModelDir>& models, const TensorSpec& spec) {
  std::vector<float> mean = values_of(models.front(), spec);
  if (models.size() == 1) return mean;
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::vector<float> values = values_of(models[i], spec);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += values[j];
  }
  for (float& value : mean) value /= static_cast<float>(models.size());
  return mean;
}

void check_same_tensors(const ModelDir& a, const ModelDir& b, const fs::path& path) {
  if (expected_tensors(a.config()) != expected_tensors(b.config())) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: is of another architecture, no mean can be taken", path.string()));
  }
}

}  // namespace

void convert_model(const fs::path& in_dir, const fs::path& out_dir, WeightType weights,
                   const std::vector<fs::path>& others) {
  std::vector<ModelDir> models;
  models.push_back(ModelDir::open(in_dir));
  for (const fs::path& other : others) {
    models.push_back(ModelDir::open(other));
    check_same_tensors(models.front(), models.back(), other);
  }
  const ModelDir& model = models.front();
  TensorStore store;
  for (const TensorSpec& spec : expected_tensors(model.config())) {
    const TensorView& tensor = model.tensor(spec.name);
    if (others.empty() && tensor.dtype == dtype_of(weights) &&
        !stays_f32(spec)) {  // as it is, without rounding again
      store.add_view(tensor);
      if (tensor.dtype == DType::kI8) store.add_view(model.tensor(spec.name + ".scale"));
      continue;
    }
    try {
      store.add(spec, mean_values(models, spec), weights);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("tensor '{}': {}", spec.name, error.what()));
    }
  }
  ModelConfig config = model.config();
  config.provenance["weights"] = weight_name(weights);
  const fs::path card = in_dir / "MODEL_CARD.md";
  const fs::path ranker = model.ranker_path();
  write_model_dir(out_dir,
                  {config, store.views(), files::read_small_file(model.vocab_path(), kMaxTextBytes),
                   fs::exists(card) ? files::read_small_file(card, kMaxTextBytes) : "",
                   ranker.empty() ? "" : files::read_small_file(ranker, kMaxTextBytes)});
}

}  // namespace diffie
