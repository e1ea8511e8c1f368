// The table of CPU kernels behind the operations, one per instruction set. Kernels only compute:
// shapes are checked by the operation (gemm.cpp, layer_norm.cpp, ...), which then calls through
// here.
//
// Every kernel promises that a row's result depends on that row alone, bit for bit: not on how many
// rows a call has, nor on where the row stands among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace diffie::ops {

// Packed weights come in panels of this many output columns (packed_matrix.h).
inline constexpr std::size_t kPanelColumns = 16;

// Queries that an attention kernel takes at once, at most; sizes its scratch memory.
inline constexpr std::size_t kAttentionQueries = 12;

struct GemmCall {
  const float* a;         // [m, k]
  const float* panels;    // packed weights, see packed_matrix.h
  const float* bias;      // [n]
  const float* residual;  // [m, n] or null; does not overlap c
  float* c;               // [m, n]
  std::size_t m, n, k;
  bool gelu;
};

struct LayerNormCall {
  const float* x;         // [rows, columns]
  const float* residual;  // the same, or null
  const float* gamma;     // [columns]
  const float* beta;
  float* y;  // [rows, columns]; may be x
  std::size_t rows, columns;
  float eps;
};

struct AttentionCall {
  const float* qkv;              // [tokens, 3 * heads * head_dim]
  const std::uint32_t* offsets;  // [rows + 1]; qkv and out start with token offsets[0]
  float* out;                    // [tokens, heads * head_dim]
  float* scratch;                // attention_scratch(longest row, head_dim) floats
  std::size_t rows, heads, head_dim;
  float scale;
};

struct TableAddCall {
  const float* context;        // [tokens, columns]
  const float* table;          // [states, columns]
  const std::uint8_t* states;  // [tokens]
  float* out;                  // [tokens, columns]
  std::size_t tokens, columns;
};

struct CpuKernels {
  const char* name;  // scalar, avx2, avx512
  void (*gemm)(const GemmCall&);
  void (*layer_norm)(const LayerNormCall&);
  void (*gelu)(const float* x, float* y, std::size_t count);
  void (*attention)(const AttentionCall&);
  void (*table_add)(const TableAddCall&);
};

// Best table for this machine, chosen once; DIFFIE_CPU_ISA=scalar|avx2|avx512 overrides it. Throws
// kInvalidArgument for an unknown name and kUnsupported for one that this machine cannot run.
const CpuKernels& cpu_kernels();

// Every table that this machine can run, scalar first, best last.
std::span<const CpuKernels* const> runnable_kernels();

// The tables themselves. `scalar` sums in double: it is the oracle of the tests, not made for
// speed. The others exist on x86-64 only.
extern const CpuKernels kScalarKernels;
extern const CpuKernels kAvx2Kernels;
extern const CpuKernels kAvx512Kernels;

// What the scalar table holds; each stands beside its operation.
void gemm_reference(const GemmCall& call);
void layer_norm_reference(const LayerNormCall& call);
void gelu_reference(const float* x, float* y, std::size_t count);
void attention_reference(const AttentionCall& call);
void table_add_reference(const TableAddCall& call);

}  // namespace diffie::ops
