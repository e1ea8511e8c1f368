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

// Inputs of an int8 GEMM are whole numbers from 0 to this: seven bits, so that two products with
// int8 weights fit 16 bits.
inline constexpr int kInt8Levels = 127;

// Inputs that an int8 GEMM takes at a time: 1536 x 16 weights stay in the first-level cache.
inline constexpr std::size_t kInt8BlockInputs = 1536;

// Rows of one call of an int8 GEMM kernel, at most.
inline constexpr std::size_t kInt8BlockRows = 128;

// Inputs and rows x inputs of a block of an fp32 GEMM: they stay in the second-level cache beside a
// tile's weights (768 x 16 with AVX2). Blocks for the first level would have c read and written
// more often (measured: 3 %).
inline constexpr std::size_t kGemmBlockK = 768;
inline constexpr std::size_t kGemmBlockInputs = 96 * kGemmBlockK;

// Floats that a GEMM of more than kGemmBlockK inputs needs to copy a block's rows to.
inline constexpr std::size_t kGemmCopyStride = kGemmBlockK + kPanelColumns;
inline constexpr std::size_t kGemmScratch = kGemmBlockInputs / kGemmBlockK * kGemmCopyStride;

struct GemmCall {
  const float* a;         // [m, k]
  const float* panels;    // packed weights, see packed_matrix.h
  const float* bias;      // [n]
  const float* residual;  // [m, n] or null; does not overlap c
  float* c;               // [m, n]
  float* scratch;         // [kGemmScratch], 64-byte aligned; null where k <= kGemmBlockK
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

// x [rows, columns] to whole numbers 0 .. kInt8Levels, row by row:
//   x = offset[row] + scale[row] * q,  offset = min x,  scale = (max x - min x) / kInt8Levels
struct QuantizeCall {
  const float* x;
  std::uint8_t* q;  // [rows, q_stride]; columns behind the last one become zero
  float* scale;     // [rows]
  float* offset;    // [rows]
  std::size_t rows, columns, q_stride;
};

// Groups of int8 inputs as they come, or in pairs, see packed_int8.h. Every kernel reads both.
enum class InputOrder { kNatural, kPaired };

// c[r, i] = epilogue(a_scale[r] w_scale[i] sum_j a[r, j] w[i, j] + a_offset[r] w_sum[i] + bias[i])
struct Int8GemmCall {
  const std::uint8_t* a;       // [m, k]
  const float* a_scale;        // [m]
  const float* a_offset;       // [m]
  const std::int8_t* panels;   // packed weights, see packed_int8.h
  const std::uint32_t* order;  // [panels, k / 4], see packed_int8.h
  const std::uint32_t* pairs;  // [panels, blocks of inputs]
  const float* w_scale;        // [n, filled up to whole panels]
  const float* w_sum;          // the same
  const float* bias;           // [n]
  const float* residual;       // [m, n] or null; does not overlap c
  float* c;                    // [m, n]
  std::size_t m, n, k;         // m <= kInt8BlockRows; k is a multiple of 4
  InputOrder input_order;      // kNatural: there are no pairs
  bool gelu;
};

struct CpuKernels {
  const char* name;  // scalar, avx2, avxvnni, avx512, avx512vnni, amx, neon, neondot
  void (*gemm)(const GemmCall&);
  void (*layer_norm)(const LayerNormCall&);
  void (*gelu)(const float* x, float* y, std::size_t count);
  void (*attention)(const AttentionCall&);
  void (*table_add)(const TableAddCall&);
  void (*quantize)(const QuantizeCall&);
  void (*gemm_int8)(const Int8GemmCall&);
  InputOrder int8_order = InputOrder::kPaired;  // what gemm_int8 is fastest with
};

// Best table for this machine, chosen once; DIFFIE_CPU_ISA names another. Throws kInvalidArgument
// for an unknown name and kUnsupported for one that this machine cannot run.
const CpuKernels& cpu_kernels();

// Every table that this machine can run, scalar first, best last.
std::span<const CpuKernels* const> runnable_kernels();

// The tables themselves. `scalar` sums in double: it is the oracle of the tests, not made for
// speed. The others exist on x86-64 or on 64-bit ARM only.
extern const CpuKernels kScalarKernels;
extern const CpuKernels kAvx2Kernels;
extern const CpuKernels kAvx512Kernels;
extern const CpuKernels kNeonKernels;
void gemm_int8_neon_dot(const Int8GemmCall& call);
void gemm_int8_avx_vnni(const Int8GemmCall& call);
void gemm_int8_avx2(const Int8GemmCall& call);
void gemm_int8_avx512_vnni(const Int8GemmCall& call);
void gemm_int8_amx(const Int8GemmCall& call);

// What the scalar table holds; each stands beside its operation.
void gemm_reference(const GemmCall& call);
void layer_norm_reference(const LayerNormCall& call);
void gelu_reference(const float* x, float* y, std::size_t count);
void attention_reference(const AttentionCall& call);
void table_add_reference(const TableAddCall& call);
void quantize_reference(const QuantizeCall& call);
void gemm_int8_reference(const Int8GemmCall& call);

}  // namespace diffie::ops
