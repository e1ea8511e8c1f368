#include "cuda/walker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "cuda/finite.h"
#include "cuda/row_groups.h"
#include "diffie/error.h"

namespace diffie::cuda {
namespace {

template <typename T>
void copy_back(const T* from, std::size_t count, T* to, const Stream& stream) {
  DIFFIE_CUDA_CHECK(
      cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
}

}  // namespace

template <typename T, typename In>
std::vector<model::DrawnRows> Walker<T, In>::walk(const Projected<T>& context,
                                                  const diffusion::Chain& chain,
                                                  std::span<const model::DrawBlock> blocks,
                                                  const model::BeforeStep& before_step) {
  if (blocks.empty()) return {};
  begin(blocks);
  start_rows(on_device(), chain.law, chain.first_shared, states_.data(), stream_.get());
  for (const diffusion::Jump& jump : chain.jumps) {
    merge();
    before_step(distinct_);
    lay_out();
    pack_rows(on_device(), states_.data(), merged_, packing_, packed_.room(offsets_.back()),
              context_token_.room(offsets_.back()), stream_.get());
    ask(context, jump.from);
    draw_rows(on_device(), chain.law, jump, merged_, packing_, logits_.data(), states_.data(),
              next_states_.data(), stream_.get());
    std::swap(states_, next_states_);
  }
  return fetch();
}

template <typename T, typename In>
void Walker<T, In>::begin(std::span<const model::DrawBlock> blocks) {
  std::size_t states = 0, table = 0;
  rows_ = 0;
  blocks_.clear();
  for (const model::DrawBlock& block : blocks) {
    DIFFIE_ASSERT(block.rows > 0 && block.length > 0);
    blocks_.push_back({block.key, block.first_trajectory, static_cast<std::uint32_t>(block.length),
                       static_cast<std::uint32_t>(block.rows), static_cast<std::uint32_t>(rows_),
                       static_cast<std::uint32_t>(states), static_cast<std::uint32_t>(table),
                       block.context_begin});
    rows_ += block.rows;
    states += block.rows * block.length;
    table += merge_places(block.rows);
  }
  if (std::max(states, table) > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::kExhausted, "CUDA: more than 2^32 tags of a call");
  }
  block_upload_.begin(blocks_.size() * sizeof(WalkBlock), 1);
  device_blocks_ = block_upload_.add(std::span<const WalkBlock>(blocks_));
  block_upload_.send(stream_);
  states_.room(states);
  next_states_.room(states);
  merged_ = {slot_of_row_.room(rows_),           distinct_row_.room(rows_), count_.room(rows_),
             num_distinct_.room(blocks_.size()), table_.room(table),        first_.room(table)};
}

template <typename T, typename In>
void Walker<T, In>::merge() {
  merge_rows(on_device(), states_.data(), merged_, stream_.get());
  std::uint32_t* const numbers = num_distinct_host_.room(blocks_.size());
  copy_back(merged_.num_distinct, blocks_.size(), numbers, stream_);
  stream_.wait();
  distinct_ = {numbers, blocks_.size()};
}

// The distinct rows end to end.
template <typename T, typename In>
void Walker<T, In>::lay_out() {
  offsets_.assign(1, 0);
  token_begin_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    token_begin_.push_back(offsets_.back());
    for (std::uint32_t row = 0; row < distinct_[i]; ++row) {
      offsets_.push_back(offsets_.back() + blocks_[i].length);
    }
  }
  step_upload_.begin((offsets_.size() + token_begin_.size()) * sizeof(std::uint32_t), 2);
  device_offsets_ = step_upload_.add(std::span<const std::uint32_t>(offsets_));
  packing_.token_begin = step_upload_.add(std::span<const std::uint32_t>(token_begin_));
  step_upload_.send(stream_);
}

// The logits of the distinct rows.
template <typename T, typename In>
void Walker<T, In>::ask(const Projected<T>& context, std::int32_t time) {
  const RowNetwork<T, In>& network = denoiser_.rows;
  float* const logits = logits_.room(offsets_.back() * kNumTags);
  const typename ScratchPool<T>::Loan scratch(scratch_, stream_);
  Asked<T> asked{context.data, time};
  if (offsets_.back() > 2 * context.tokens * network.states()) {
    asked.first_qkv = network.first_qkv(asked, context.tokens, *scratch, stream_.get());
  }
  const RowsOnDevice rows{packed_.data(), context_token_.data(), device_offsets_};
  for_groups(offsets_, rows, kRowGroupTokens, [&](std::size_t first, const RowGroup& group) {
    denoiser_.answer(asked, group, *scratch, logits + offsets_[first] * kNumTags, stream_.get());
  });
  if constexpr (std::is_same_v<T, Half>) {
    const std::size_t size = offsets_.back() * kNumTags;
    float* const host = logits_host_.room(size);
    copy_back(logits, size, host, stream_);
    stream_.wait();
    check_finite<T>({host, size});
  }
  stream_.wait();  // the scratch memory goes to others
}

template <typename T, typename In>
std::vector<model::DrawnRows> Walker<T, In>::fetch() {
  merge();
  lay_out();
  pack_rows(on_device(), states_.data(), merged_, packing_, packed_.room(offsets_.back()), nullptr,
            stream_.get());
  std::uint8_t* const tags = tags_host_.room(offsets_.back());
  std::uint32_t* const counts = count_host_.room(rows_);
  copy_back(packed_.data(), offsets_.back(), tags, stream_);
  copy_back(merged_.count, rows_, counts, stream_);
  stream_.wait();
  std::vector<model::DrawnRows> drawn(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::uint8_t* const begin = tags + token_begin_[i];
    const std::uint32_t* const of_block = counts + blocks_[i].row_begin;
    drawn[i].tags.assign(begin, begin + std::size_t{distinct_[i]} * blocks_[i].length);
    drawn[i].counts.assign(of_block, of_block + distinct_[i]);
  }
  return drawn;
}

template class Walker<float, float>;
template class Walker<Bf16, Bf16>;
template class Walker<Half, Half>;
template class Walker<Bf16, Fp8>;

}  // namespace diffie::cuda
