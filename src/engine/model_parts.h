#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

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

  // gpus: none for the CPU. Weights are loaded once a GPU, however often it stands there. Safe to
  // call from many threads.
  const model::Backend& backend(Precision precision, std::span<const std::int32_t> gpus = {}) const;

  model_dir::ModelConfig config;
  Tokenizer tokenizer;
  std::shared_ptr<const extract::Ranker> ranker;  // null: the model has none

 private:
  ModelParts(model_dir::ModelDir dir, Tokenizer words,
             std::shared_ptr<const extract::Ranker> trees);

  model_dir::ModelDir dir_;
  const model::Backend& on_one(Precision precision, std::int32_t gpu) const;  // mutex_ is held

  mutable std::mutex mutex_;
  // By GPU, kNoGpu for the CPU; and by the list of them, where there are several.
  static constexpr std::int32_t kNoGpu = -1;
  mutable std::map<std::pair<Precision, std::int32_t>, std::unique_ptr<const model::Backend>> one_;
  mutable std::map<std::pair<Precision, std::vector<std::int32_t>>,
                   std::unique_ptr<const model::Backend>>
      several_;
};

// What it points to; throws kInvalidArgument where that is nothing.
const Model& checked(const std::shared_ptr<const Model>& model);

}  // namespace diffie::engine
