#pragma once

#include "diffie/model.h"
#include "diffie/tokenizer.h"
#include "extract/ranker.h"
#include "io/model_dir.h"
#include "model/denoiser.h"
#include "model/encoder.h"

namespace diffie {

class Model::Impl {
 public:
  explicit Impl(const io::ModelDir& dir);

  io::ModelConfig config;
  Tokenizer tokenizer;
  model::BertEncoder encoder;
  model::Denoiser denoiser;
  std::shared_ptr<const extract::Ranker> ranker;  // null: the model has none
};

}  // namespace diffie
