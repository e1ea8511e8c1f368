// A backend that lives on one GPU of several.
#pragma once

#include <functional>
#include <memory>

#include "model/backend.h"

namespace diffie::cuda {

// Every call of the inner backend and of its runners goes to the GPU, whatever thread it comes
// from. Its runners leave their GPU the current one of the thread that calls them; making and
// destroying leave a thread as it was.
class DeviceBackend final : public model::Backend {
 public:
  using Make = std::function<std::unique_ptr<const model::Backend>()>;

  // Throws kUnsupported where the GPU cannot run this build's code, and what `make` throws.
  DeviceBackend(int gpu, const Make& make);
  ~DeviceBackend() override;

  std::unique_ptr<model::Runner> make_runner(bool judges) const override;
  bool waits() const override { return inner_->waits(); }

 private:
  const int gpu_;
  std::unique_ptr<const model::Backend> inner_;
};

}  // namespace diffie::cuda
