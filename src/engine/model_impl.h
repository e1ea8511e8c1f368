#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "diffie/model.h"
#include "diffie/text.h"
#include "extract/ranker.h"
#include "model_dir/model_dir.h"
#include "model/denoiser.h"
#include "model/encoder.h"

namespace diffie {

class Model::Impl {
 public:
  explicit Impl(const model_dir::ModelDir& dir);

  struct Networks {
    model::BertEncoder encoder;
    model::Denoiser denoiser;
  };
  // Made when first asked for; safe to call from many threads.
  const Networks& networks(model::Precision precision) const;

  model_dir::ModelConfig config;
  Tokenizer tokenizer;
  std::shared_ptr<const extract::Ranker> ranker;  // null: the model has none

 private:
  model_dir::ModelDir dir_;
  mutable std::array<std::once_flag, 2> made_;
  mutable std::array<std::unique_ptr<const Networks>, 2> networks_;
};

}  // namespace diffie
