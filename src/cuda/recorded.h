// Work of a stream that is recorded once as a CUDA graph and replayed: one launch instead of many.
#pragma once

#include <cuda_runtime_api.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "cuda/check.h"

namespace diffie::cuda {

// What makes two recordings the same: sizes, and memory that is not the recorder's own.
struct RecordingKey {
  int kind = 0;
  std::int32_t step = 0;
  std::size_t tokens = 0;
  const void* first = nullptr;
  const void* second = nullptr;

  auto operator<=>(const RecordingKey&) const = default;
};

class Recordings {
 public:
  // Runs work(), which asks for things on the stream and allocates nothing. Its results may be
  // used when the stream has come to its end.
  template <typename Work>
  void run(const RecordingKey& key, cudaStream_t stream, Work work) {
    auto found = graphs_.find(key);
    if (found == graphs_.end()) found = graphs_.emplace(key, record(stream, work)).first;
    DIFFIE_CUDA_CHECK(cudaGraphLaunch(found->second.get(), stream));
  }

 private:
  struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  };
  struct DestroyExecutable {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
  using Executable = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyExecutable>;

  static Graph end(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream, &graph);
    Graph owner(graph);
    DIFFIE_CUDA_CHECK(status);
    return owner;
  }

  template <typename Work>
  static Executable record(cudaStream_t stream, Work work) {
    DIFFIE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
      work();
    } catch (...) {
      cudaGraph_t unfinished = nullptr;
      cudaStreamEndCapture(stream, &unfinished);
      if (unfinished != nullptr) cudaGraphDestroy(unfinished);
      cudaGetLastError();
      throw;
    }
    const Graph graph = end(stream);
    cudaGraphExec_t executable = nullptr;
    DIFFIE_CUDA_CHECK(cudaGraphInstantiate(&executable, graph.get(), 0));
    return Executable(executable);
  }

  std::map<RecordingKey, Executable> graphs_;
};

}  // namespace diffie::cuda
