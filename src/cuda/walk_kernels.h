// Rows on their way from noise to tags: random numbers, draws and equal rows found, with nothing
// but the arithmetic of diffusion/chain.h.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "diffusion/chain.h"

namespace diffie::cuda {

// The rows of one sentence. Its states are [rows, length], those of the blocks lie end to end.
struct WalkBlock {
  std::uint64_t key;
  std::uint64_t first_trajectory;
  std::uint32_t length;
  std::uint32_t rows;
  std::uint32_t row_begin;      // among all rows
  std::uint32_t state_begin;    // among all states
  std::uint32_t table_begin;    // among all places of hash tables, merge_places(rows) of them
  std::uint32_t context_begin;  // token of the context
};

// On the GPU.
struct WalkBlocks {
  const WalkBlock* blocks = nullptr;
  std::size_t count = 0;
};

// The places of the hash table that a block of rows is merged in.
std::size_t merge_places(std::size_t rows);

// Rows of a block with equal states are merged: numbered in the order in which they first come.
struct MergedRows {
  std::uint32_t* slot_of_row;     // [all rows]: counted from the block's first
  std::uint32_t* distinct_row;    // [all rows]: of slot i of a block, at row_begin + i
  std::uint32_t* count;           // as distinct_row: rows that it is
  std::uint32_t* num_distinct;    // [blocks]
  std::uint32_t* table;           // [all places], scratch
  std::uint32_t* first_of_place;  // [all places], scratch
};

// Where the distinct rows of a block go.
struct Packing {
  const std::uint32_t* token_begin;  // [blocks]
};

// Initial noise.
void start_rows(const WalkBlocks& walk, const diffusion::ChainLaw& law, std::uint64_t shared,
                std::uint8_t* states, cudaStream_t stream);

void merge_rows(const WalkBlocks& walk, const std::uint8_t* states, const MergedRows& merged,
                cudaStream_t stream);

// The distinct rows' states end to end, and the context token of each (null: not wanted).
void pack_rows(const WalkBlocks& walk, const std::uint8_t* states, const MergedRows& merged,
               const Packing& packing, std::uint8_t* packed, std::uint32_t* context_token,
               cudaStream_t stream);

// logits [tokens packed, 4]. `to` gets the next states; `from` and `to` differ.
void draw_rows(const WalkBlocks& walk, const diffusion::ChainLaw& law, const diffusion::Jump& jump,
               const MergedRows& merged, const Packing& packing, const float* logits,
               const std::uint8_t* from, std::uint8_t* to, cudaStream_t stream);

}  // namespace diffie::cuda
