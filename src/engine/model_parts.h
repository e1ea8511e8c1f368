#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "diffie/model.h"
#include "diffie/text.h"
#include "extract/ranker.h"
#include "model/denoiser.h"
#include "model/encoder.h"
#include "model/judge.h"
#include "model_dir/model_dir.h"

namespace diffie::engine {

// What a loaded model holds. Immutable but for the networks, which are made when first asked for.
class ModelParts {
 public:
  explicit ModelParts(const model_dir::ModelDir& dir);

  static const ModelParts& of(const Model& model) { return *model.parts_; }

  struct Networks {
    model::BertEncoder encoder;
    model::Denoiser denoiser;
    std::optional<model::Judge> judge;  // none: the model has none
  };
  // Safe to call from many threads.
  const Networks& networks(Precision precision) const;

  model_dir::ModelConfig config;
  Tokenizer tokenizer;
  std::shared_ptr<const extract::Ranker> ranker;  // null: the model has none

 private:
  model_dir::ModelDir dir_;
  mutable std::array<std::once_flag, 2> made_;
  mutable std::array<std::unique_ptr<const Networks>, 2> networks_;
};

}  // namespace diffie::engine
