#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>

#include "diffie/model.h"
#include "diffie/text.h"
#include "extract/ranker.h"
#include "model/backend.h"
#include "model_dir/model_dir.h"

namespace diffie::engine {

// What a loaded model holds. Immutable but for the backends, which are made when first asked for.
class ModelParts {
 public:
  // Everything that a model directory must be is checked here, once: loading throws the first
  // problem, verifying lists all of them. Null where there was one that was not thrown.
  static std::unique_ptr<const ModelParts> read(const std::filesystem::path& dir,
                                                const model_dir::DirChecks& checks,
                                                const model_dir::Report& report);

  static const ModelParts& of(const Model& model) { return *model.parts_; }

  // Safe to call from many threads.
  const model::Backend& backend(Precision precision, Device device = Device::kCpu) const;

  model_dir::ModelConfig config;
  Tokenizer tokenizer;
  std::shared_ptr<const extract::Ranker> ranker;  // null: the model has none

 private:
  ModelParts(model_dir::ModelDir dir, Tokenizer words,
             std::shared_ptr<const extract::Ranker> trees);

  model_dir::ModelDir dir_;
  // By precision and device.
  mutable std::array<std::once_flag, 6> made_;
  mutable std::array<std::unique_ptr<const model::Backend>, 6> backends_;
};

}  // namespace diffie::engine
