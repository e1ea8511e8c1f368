// Forward and backward pass of each shape of batch as one CUDA graph: a step is then one launch and
// not one for each kernel, whose CPU time is what limits a run alone on a card.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "train/device_data.h"
#include "train/torch.h"

namespace diffie::train {

class StepGraphs {
 public:
  // What is recorded: reads the batch it is given, leaves gradients at addresses that stay, returns
  // the loss. It must not wait for the device.
  using Body = std::function<torch::Tensor(const Batch&)>;

  // Whether this build can record (it needs CUDA's headers) and `device` replay.
  static bool available(torch::Device device);

  explicit StepGraphs(Body body);
  ~StepGraphs();
  StepGraphs(const StepGraphs&) = delete;
  StepGraphs& operator=(const StepGraphs&) = delete;

  // Records the shape of `batch` unless that was done; uses up random numbers then.
  void prepare(const Batch& batch);

  // The loss; prepare() has seen this shape. It holds until the next call.
  torch::Tensor replay(const Batch& batch);

 private:
  using Shape = std::array<std::int64_t, 4>;  // sentences, their length, instances, their length
  struct Recording;
  static Shape shape_of(const Batch& batch);

  Body body_;
  std::pair<std::uint64_t, std::uint64_t> pool_ = {0, 0};  // of device memory, for all recordings
  std::map<Shape, std::unique_ptr<Recording>> recordings_;
};

}  // namespace diffie::train
