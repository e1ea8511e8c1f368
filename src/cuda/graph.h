// Work of a stream, recorded as a CUDA graph: one launch instead of many.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "cuda/check.h"

namespace diffie::cuda {

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
};
struct DestroyExecutable {
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
using GraphExecutable = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyExecutable>;

inline cudaError_t end_recording(cudaStream_t stream, Graph& graph) {
  cudaGraph_t recorded = nullptr;
  const cudaError_t status = cudaStreamEndCapture(stream, &recorded);
  graph.reset(recorded);
  return status;
}

// Of what work() asks for on the stream, which is not done now. It allocates nothing.
template <typename Work>
GraphExecutable record_graph(cudaStream_t stream, Work work) {
  DIFFIE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  Graph graph;
  try {
    work();
  } catch (...) {
    end_recording(stream, graph);
    cudaGetLastError();
    throw;
  }
  DIFFIE_CUDA_CHECK(end_recording(stream, graph));
  cudaGraphExec_t executable = nullptr;
  DIFFIE_CUDA_CHECK(cudaGraphInstantiate(&executable, graph.get(), 0));
  return GraphExecutable(executable);
}

}  // namespace diffie::cuda
