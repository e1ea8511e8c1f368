// model::BertEncoder on the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/convert.h"
#include "cuda/linear.h"
#include "cuda/scratch.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

template <typename T>
struct EncoderLayer {
  Linear<T> qkv;
  Linear<T> attention_output;
  Norm attention_norm;
  Linear<T> intermediate;
  Linear<T> output;
  Norm output_norm;

  EncoderLayer(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const std::string& name);
};

// Tokens of consecutive rows on the GPU, which fit the scratch memory.
struct EncoderGroup {
  const std::int32_t* ids;
  const std::uint32_t* positions;  // of each token in its row
  const std::uint32_t* offsets;    // rows + 1
  std::size_t rows;
  std::size_t tokens;
  std::size_t longest;  // tokens of a row
};

template <typename T>
class Encoder {
 public:
  Encoder(cublasLtHandle_t handle, const model_dir::ModelDir& dir);

  // Last hidden states [tokens, hidden], in the scratch memory's x.
  const T* forward(const EncoderGroup& group, Scratch<T>& scratch, cudaStream_t stream) const;

 private:
  void forward_layer(const EncoderLayer<T>& layer, const EncoderGroup& group, Scratch<T>& scratch,
                     cudaStream_t stream) const;

  std::size_t hidden_;
  std::size_t heads_;
  DeviceArray<T> word_;
  DeviceArray<float> position_;
  DeviceArray<float> type_;
  Norm embedding_norm_;
  std::vector<EncoderLayer<T>> layers_;
};

}  // namespace diffie::cuda
