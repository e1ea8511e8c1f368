#pragma once

#include <optional>

#include "model/backend.h"
#include "model/denoiser.h"
#include "model/encoder.h"
#include "model/judge.h"
#include "model/precision.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

class CpuBackend final : public Backend {
 public:
  CpuBackend(const model_dir::ModelDir& dir, Precision precision);

  std::unique_ptr<Runner> make_runner(bool judges) const override;
  bool waits() const override { return false; }

 private:
  BertEncoder encoder_;
  Denoiser denoiser_;
  std::optional<Judge> judge_;  // none: the model has none
};

}  // namespace diffie::model
