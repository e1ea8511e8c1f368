#pragma once

#include "diffie/model.h"
#include "diffie/tokenizer.h"
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
};

}  // namespace diffie
