#include "train/step_graph.h"

#include "diffie/error.h"

#if DIFFIE_CUDA_GRAPHS
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#endif

namespace diffie::train {

StepGraphs::Shape StepGraphs::shape_of(const Batch& batch) {
  return {batch.ids.size(0), batch.ids.size(1), batch.tags.size(0), batch.tags.size(1)};
}

#if DIFFIE_CUDA_GRAPHS

struct StepGraphs::Recording {
  Batch input;
  torch::Tensor loss;
  at::cuda::CUDAGraph graph;
};

namespace {

std::array<torch::Tensor Batch::*, 7> fields() {
  return {&Batch::ids,   &Batch::encoder_valid, &Batch::slots,    &Batch::tags,
          &Batch::valid, &Batch::weight,        &Batch::judgement};
}

Batch copy_of(const Batch& batch) {
  Batch copy;
  for (const auto field : fields()) copy.*field = (batch.*field).clone();
  return copy;
}

// Always the same one: the allocator reuses memory only within a stream.
c10::cuda::CUDAStream recording_stream() {
  static const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  return stream;
}

}  // namespace

bool StepGraphs::available(torch::Device device) { return device.is_cuda(); }

void StepGraphs::prepare(const Batch& batch) {
  std::unique_ptr<Recording>& recording = recordings_[shape_of(batch)];
  if (recording) return;
  recording = std::make_unique<Recording>();
  recording->input = copy_of(batch);
  c10::cuda::device_synchronize();
  {
    const c10::cuda::CUDAStreamGuard aside(recording_stream());
    // Once without recording: libraries set themselves up at their first call.
    body_(recording->input);
    c10::cuda::device_synchronize();
    // All share one pool: what a recording leaves is used up before another one runs.
    if (pool_.first == 0 && pool_.second == 0) pool_ = at::cuda::graph_pool_handle();
    recording->graph.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
    recording->loss = body_(recording->input);
    recording->graph.capture_end();
  }
  c10::cuda::device_synchronize();
}

torch::Tensor StepGraphs::replay(const Batch& batch) {
  Recording& recording = *recordings_.at(shape_of(batch));
  for (const auto field : fields()) (recording.input.*field).copy_(batch.*field);
  recording.graph.replay();
  return recording.loss;
}

#else

struct StepGraphs::Recording {};

bool StepGraphs::available(torch::Device) { return false; }

void StepGraphs::prepare(const Batch&) {
  throw Error(ErrorCode::kUnsupported, "this build has no CUDA graphs");
}

torch::Tensor StepGraphs::replay(const Batch&) {
  throw Error(ErrorCode::kUnsupported, "this build has no CUDA graphs");
}

#endif

StepGraphs::StepGraphs(Body body) : body_(std::move(body)) {}
StepGraphs::~StepGraphs() = default;

}  // namespace diffie::train
