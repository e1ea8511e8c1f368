// The rows of some sentences from noise to tags without leaving the GPU: only how many rows are
// distinct is told to the host at each step, and in the end the distinct ones with their counts.
#pragma once

#include <span>
#include <vector>

#include "cuda/networks.h"
#include "cuda/scratch.h"
#include "cuda/walk_kernels.h"
#include "model/backend.h"

namespace diffie::cuda {

// Tokens of rows whose activations are held at a time: enough to fill the GPU, few enough that
// memory stays small.
inline constexpr std::size_t kRowGroupTokens = 32768;

// The context that rows are about, as the denoiser sees it.
template <typename T>
struct Projected {
  const T* data = nullptr;  // [tokens, denoiser hidden]
  std::size_t tokens = 0;
};

// Holds scratch memory: one per runner.
template <typename T, typename In>
class Walker {
 public:
  Walker(const Denoiser<T, In>& denoiser, ScratchPool<T>& scratch, Stream& stream)
      : denoiser_(denoiser), scratch_(scratch), stream_(stream) {}

  // As model::Runner::draw has it.
  std::vector<model::DrawnRows> walk(const Projected<T>& context, const diffusion::Chain& chain,
                                     std::span<const model::DrawBlock> blocks,
                                     const model::BeforeStep& before_step);

 private:
  void begin(std::span<const model::DrawBlock> blocks);
  // Finds the distinct rows of the states and waits until their numbers are known.
  void merge();
  void lay_out();
  void ask(const Projected<T>& context, std::int32_t time);
  std::vector<model::DrawnRows> fetch();
  WalkBlocks on_device() const { return {device_blocks_, blocks_.size()}; }

  const Denoiser<T, In>& denoiser_;
  ScratchPool<T>& scratch_;
  Stream& stream_;

  std::vector<WalkBlock> blocks_;
  const WalkBlock* device_blocks_ = nullptr;
  std::size_t rows_ = 0;  // of all blocks, whether distinct or not
  DeviceArray<std::uint8_t> states_, next_states_;

  DeviceArray<std::uint32_t> slot_of_row_, distinct_row_, count_, num_distinct_, table_, first_;
  MergedRows merged_{};
  PinnedArray<std::uint32_t> num_distinct_host_;
  std::span<const std::uint32_t> distinct_;  // of each block

  std::vector<std::uint32_t> offsets_;      // of the distinct rows' tokens, and the end
  std::vector<std::uint32_t> token_begin_;  // of each block's
  const std::uint32_t* device_offsets_ = nullptr;
  Packing packing_{};
  DeviceArray<std::uint8_t> packed_;
  DeviceArray<std::uint32_t> context_token_;
  DeviceArray<float> logits_;
  PinnedArray<float> logits_host_;  // in fp16, to see what it cannot hold

  Upload block_upload_, step_upload_;
  PinnedArray<std::uint8_t> tags_host_;
  PinnedArray<std::uint32_t> count_host_;
};

}  // namespace diffie::cuda
