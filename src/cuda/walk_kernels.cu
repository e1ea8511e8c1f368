#include <bit>

#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/walk_kernels.h"

namespace diffie::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMergeThreads = 1024;
constexpr unsigned kBlocksPerSentence = 16;  // that share its rows
constexpr std::uint32_t kNone = 0xffffffffu;
constexpr std::uint32_t kGroup = diffusion::kPositionsPerBlock;

// Calls visit(row, group) for the groups of four positions of all rows of a block, each by one
// thread of those that share the block.
template <typename Visit>
__device__ void for_each_group(const WalkBlock& block, Visit visit) {
  const std::uint32_t groups = (block.length + kGroup - 1) / kGroup;
  const std::uint64_t all = static_cast<std::uint64_t>(block.rows) * groups;
  for (std::uint64_t at = blockIdx.y * kThreads + threadIdx.x; at < all;
       at += gridDim.y * kThreads) {
    visit(static_cast<std::uint32_t>(at / groups), static_cast<std::uint32_t>(at % groups));
  }
}

__global__ void start_kernel(const WalkBlock* blocks, diffusion::ChainLaw law, std::uint64_t shared,
                             std::uint8_t* states) {
  const WalkBlock block = blocks[blockIdx.x];
  for_each_group(block, [&](std::uint32_t row, std::uint32_t group) {
    const auto numbers = diffusion::uniforms(
        diffusion::noise_of(law, block.key, block.first_trajectory + row, shared, 0, 0), group);
    std::uint8_t* const to = states + block.state_begin + row * block.length + group * kGroup;
    const std::uint32_t lanes = min(kGroup, block.length - group * kGroup);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      to[lane] = diffusion::initial_state(law, numbers[lane]);
    }
  });
}

// The jump's table lies in shared memory: lanes look at different parts of it.
__global__ void draw_kernel(const WalkBlock* blocks, diffusion::ChainLaw law, diffusion::Jump jump,
                            MergedRows merged, Packing packing, const float* logits,
                            const std::uint8_t* from, std::uint8_t* to) {
  __shared__ alignas(diffusion::Jump) unsigned char bytes[sizeof(diffusion::Jump)];
  for (unsigned i = threadIdx.x; i < sizeof(diffusion::Jump); i += kThreads) {
    bytes[i] = reinterpret_cast<const unsigned char*>(&jump)[i];
  }
  __syncthreads();
  const auto& table = *reinterpret_cast<const diffusion::Jump*>(bytes);
  const WalkBlock block = blocks[blockIdx.x];
  const std::uint32_t token_begin = packing.token_begin[blockIdx.x];
  for_each_group(block, [&](std::uint32_t row, std::uint32_t group) {
    // What is shared is taken over from the first of those that share it.
    const std::uint64_t trajectory = block.first_trajectory + row;
    const std::uint64_t first = trajectory / jump.shared * jump.shared;
    const auto leader = static_cast<std::uint32_t>(
        first < block.first_trajectory ? 0 : first - block.first_trajectory);
    const auto numbers = diffusion::uniforms(
        diffusion::noise_of(law, block.key, trajectory, jump.shared,
                            static_cast<std::uint32_t>(jump.from), jump.log_siblings),
        group);
    const std::uint32_t position = group * kGroup;
    const std::uint32_t slot = merged.slot_of_row[block.row_begin + leader];
    const float* const of_row =
        logits + (static_cast<std::size_t>(token_begin) + slot * block.length + position) *
                     diffusion::kNumTags;
    const std::uint8_t* const old = from + block.state_begin + leader * block.length + position;
    std::uint8_t* const next = to + block.state_begin + row * block.length + position;
    const std::uint32_t lanes = min(kGroup, block.length - position);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      next[lane] = diffusion::next_state(law, table, old[lane], of_row + lane * diffusion::kNumTags,
                                         numbers[lane]);
    }
  });
}

__device__ std::uint32_t hash_of(const std::uint8_t* states, std::uint32_t length) {
  std::uint32_t hash = length;
  for (std::uint32_t i = 0; i < length; ++i) hash = (hash ^ states[i]) * 0x01000193u;
  return hash ^ hash >> 15;
}

__device__ bool is_equal(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t length) {
  for (std::uint32_t i = 0; i < length; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// The place of the table that has rows with these states, taken if there was none.
__device__ std::uint32_t place_of(const std::uint8_t* states, std::uint32_t row,
                                  std::uint32_t length, std::uint32_t* table, std::uint32_t mask) {
  const std::uint8_t* const mine = states + row * length;
  std::uint32_t at = hash_of(mine, length) & mask;
  for (;; at = (at + 1) & mask) {
    const std::uint32_t there = atomicCAS(table + at, kNone, row);
    if (there == kNone || is_equal(states + there * length, mine, length)) return at;
  }
}

// How many of the threads before this one say yes, and in `total` how many of all do.
__device__ std::uint32_t rank_in_block(bool yes, std::uint32_t* warp_counts, std::uint32_t& total) {
  const unsigned votes = __ballot_sync(0xffffffffu, yes);
  const unsigned warp = threadIdx.x / kWarp;
  if (lane() == 0) warp_counts[warp] = __popc(votes);
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (unsigned other = 0; other < kMergeThreads / kWarp; ++other) {
    if (other < warp) before += warp_counts[other];
    total += warp_counts[other];
  }
  __syncthreads();
  return before + __popc(votes & ((1u << lane()) - 1));
}

// A block of threads has a sentence. Which row of equal ones takes the place is a matter of chance;
// the first of them, and so their number, is not.
__global__ void __launch_bounds__(kMergeThreads)
    merge_kernel(const WalkBlock* blocks, const std::uint8_t* all_states, MergedRows merged) {
  __shared__ std::uint32_t warp_counts[kMergeThreads / kWarp];
  const WalkBlock block = blocks[blockIdx.x];
  const std::uint8_t* const states = all_states + block.state_begin;
  std::uint32_t* const table = merged.table + block.table_begin;
  std::uint32_t* const first = merged.first_of_place + block.table_begin;
  std::uint32_t* const slot_of_row = merged.slot_of_row + block.row_begin;
  std::uint32_t* const distinct_row = merged.distinct_row + block.row_begin;
  std::uint32_t* const count = merged.count + block.row_begin;
  std::uint32_t mask = 1;
  while (mask < 2 * block.rows) mask *= 2;
  --mask;

  for (std::uint32_t at = threadIdx.x; at <= mask; at += kMergeThreads) {
    table[at] = kNone;
    first[at] = kNone;
  }
  for (std::uint32_t row = threadIdx.x; row < block.rows; row += kMergeThreads) count[row] = 0;
  __syncthreads();
  for (std::uint32_t row = threadIdx.x; row < block.rows; row += kMergeThreads) {
    const std::uint32_t at = place_of(states, row, block.length, table, mask);
    atomicMin(first + at, row);
    slot_of_row[row] = at;
  }
  __syncthreads();
  std::uint32_t slots = 0;
  for (std::uint32_t begin = 0; begin < block.rows; begin += kMergeThreads) {
    const std::uint32_t row = begin + threadIdx.x;
    const bool is_first = row < block.rows && __ldcg(first + slot_of_row[row]) == row;
    std::uint32_t more = 0;
    const std::uint32_t slot = slots + rank_in_block(is_first, warp_counts, more);
    slots += more;
    if (!is_first) continue;
    distinct_row[slot] = row;
    table[slot_of_row[row]] = slot;
  }
  __syncthreads();
  for (std::uint32_t row = threadIdx.x; row < block.rows; row += kMergeThreads) {
    const std::uint32_t slot = __ldcg(table + slot_of_row[row]);
    slot_of_row[row] = slot;
    atomicAdd(count + slot, 1u);
  }
  if (threadIdx.x == 0) merged.num_distinct[blockIdx.x] = slots;
}

__global__ void pack_kernel(const WalkBlock* blocks, const std::uint8_t* states, MergedRows merged,
                            Packing packing, std::uint8_t* packed, std::uint32_t* context_token) {
  const WalkBlock block = blocks[blockIdx.x];
  const std::uint32_t places = merged.num_distinct[blockIdx.x] * block.length;
  for (std::uint32_t at = blockIdx.y * kThreads + threadIdx.x; at < places;
       at += gridDim.y * kThreads) {
    const std::uint32_t row = merged.distinct_row[block.row_begin + at / block.length];
    const std::uint32_t position = at % block.length;
    const std::size_t to = static_cast<std::size_t>(packing.token_begin[blockIdx.x]) + at;
    packed[to] = states[block.state_begin + row * block.length + position];
    if (context_token != nullptr) context_token[to] = block.context_begin + position;
  }
}

dim3 grid_of(const WalkBlocks& walk) {
  return {static_cast<unsigned>(walk.count), kBlocksPerSentence};
}

}  // namespace

std::size_t merge_places(std::size_t rows) { return std::bit_ceil(2 * rows); }

void start_rows(const WalkBlocks& walk, const diffusion::ChainLaw& law, std::uint64_t shared,
                std::uint8_t* states, cudaStream_t stream) {
  start_kernel<<<grid_of(walk), kThreads, 0, stream>>>(walk.blocks, law, shared, states);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

void merge_rows(const WalkBlocks& walk, const std::uint8_t* states, const MergedRows& merged,
                cudaStream_t stream) {
  merge_kernel<<<static_cast<unsigned>(walk.count), kMergeThreads, 0, stream>>>(walk.blocks, states,
                                                                                merged);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

void pack_rows(const WalkBlocks& walk, const std::uint8_t* states, const MergedRows& merged,
               const Packing& packing, std::uint8_t* packed, std::uint32_t* context_token,
               cudaStream_t stream) {
  pack_kernel<<<grid_of(walk), kThreads, 0, stream>>>(walk.blocks, states, merged, packing, packed,
                                                      context_token);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

void draw_rows(const WalkBlocks& walk, const diffusion::ChainLaw& law, const diffusion::Jump& jump,
               const MergedRows& merged, const Packing& packing, const float* logits,
               const std::uint8_t* from, std::uint8_t* to, cudaStream_t stream) {
  draw_kernel<<<grid_of(walk), kThreads, 0, stream>>>(walk.blocks, law, jump, merged, packing,
                                                      logits, from, to);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace diffie::cuda
