// Work of a stream that is recorded once and replayed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "cuda/graph.h"

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
    if (found == graphs_.end()) found = graphs_.emplace(key, record_graph(stream, work)).first;
    DIFFIE_CUDA_CHECK(cudaGraphLaunch(found->second.get(), stream));
  }

 private:
  std::map<RecordingKey, GraphExecutable> graphs_;
};

}  // namespace diffie::cuda
