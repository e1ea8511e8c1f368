// What denoiser and judge have in common: rows of tags over the context of a sentence through
// fusion, attention blocks and a last norm. What each makes of the result is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/layers.h"
#include "model/precision.h"
#include "model/workspace.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

// Rows of one forward call. A row is one tag sequence of one sentence; row r has
// length[r] = offsets[r + 1] - offsets[r] tokens, and its context starts at token context_begin[r]
// of the projected context. Many rows may share a context.
struct RowBatch {
  std::span<const std::uint32_t> offsets;        // rows + 1
  std::span<const std::uint32_t> context_begin;  // rows
};

// x += out(attention(qkv(norm1(x)))), x += down(gelu(up(norm2(x))))
struct RowBlock {
  Norm norm1;
  Linear qkv;
  Linear out;
  Norm norm2;
  Linear up;
  Linear down;

  RowBlock(const model_dir::ModelDir& dir, const std::string& name, std::size_t d, double eps,
           Precision precision);
};

// What makes a network of its tensors.
struct RowShape {
  std::string name;  // before the first dot of the tensors' names
  model_dir::DenoiserConfig config;
  std::size_t states = 0;  // rows of NAME.tag.weight
  std::size_t steps = 0;   // rows of NAME.time.weight; 0: there is no time
};

RowShape denoiser_shape(const model_dir::ModelConfig& config);
RowShape judge_shape(const model_dir::ModelConfig& config);  // the model must have one

// The fusion layer h = W_f [E_tag(y) + E_time(t) ; W_c c + b_c] + b_f taken apart. The left half of
// W_f sees one of states x T vectors: a table. The right half and W_c make one matrix.
struct FusionWeights {
  std::vector<float> table;   // [T, states, d]; T is 1 where there is no time
  std::vector<float> weight;  // [d, encoder hidden]: of the context
  std::vector<float> bias;    // [d]

  FusionWeights(const model_dir::ModelDir& dir, const RowShape& shape);

 private:
  void make_table(const model_dir::ModelDir& dir, const RowShape& shape,
                  std::span<const float> left);
  void make_projection(const model_dir::ModelDir& dir, const RowShape& shape,
                       std::span<const float> right);
};

class RowNetwork {
 public:
  RowNetwork(const model_dir::ModelDir& dir, const RowShape& shape, Precision precision);

  std::size_t hidden() const { return hidden_; }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()] = W_f,right (W_c c + b_c) +
  // b_f. Once per sentence.
  void project_context(std::span<const float> context, std::size_t tokens,
                       std::span<float> projected, Workspace& workspace) const;

  // Takes consecutive rows first .. end (values [their tokens, hidden()], gone when it returns).
  using Take =
      std::function<void(std::size_t first, std::size_t end, std::span<const float> values)>;

  // states [offsets.back()], each below the shape's; step: 1..T, 1 where there is no time. Every
  // row is taken once, in the order of the rows; it does not depend on the batch, bit for bit.
  void forward(std::span<const float> projected, const RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step, Workspace& workspace,
               const Take& take) const;

  [[noreturn]] void refuse(const std::string& message) const;

 private:
  RowNetwork(const model_dir::ModelDir& dir, const RowShape& shape, Precision precision,
             FusionWeights fusion);

  // The arguments of forward().
  struct Call {
    std::span<const float> projected;
    const RowBatch& rows;
    std::span<const std::uint8_t> states;
    std::int32_t step;
    Workspace& workspace;
    const Take& take;
  };
  // Rows first .. end of a call, which fit the scratch memory.
  struct Group {
    std::size_t first;
    std::size_t end;
    std::span<const std::uint32_t> offsets;  // end - first + 1

    std::size_t tokens() const { return offsets.back() - offsets.front(); }
  };

  void check_batch(std::size_t projected, const RowBatch& rows,
                   std::span<const std::uint8_t> states, std::int32_t step) const;
  static Group rows_of(const Call& call, std::size_t first, std::size_t end);
  void forward_rows(const Call& call, std::size_t first, std::size_t end) const;
  void forward_sentence(const Call& call, std::size_t first, std::size_t end) const;
  static std::span<float> floats(const Call& call, std::size_t slot, std::size_t count);
  std::span<const float> table(std::int32_t step) const;
  std::span<const float> make_input(const Call& call, const Group& group) const;
  std::span<const float> copy_shared(const Call& call, const Group& group, std::size_t length,
                                     std::span<const float> shared_input,
                                     std::span<const float> shared_qkv) const;
  void project(const RowBlock& block, std::span<const float> x, std::span<float> qkv,
               Workspace& workspace) const;
  void finish_group(const Call& call, const Group& group, std::span<const float> input) const;
  std::span<const float> finish_block(const Call& call, const RowBlock& block,
                                      std::span<const std::uint32_t> offsets,
                                      std::span<const float> x) const;

  std::string name_;
  std::size_t hidden_;
  std::size_t context_;       // the encoder's hidden size
  std::vector<float> table_;  // see FusionWeights
  Linear project_;
  std::size_t heads_;
  std::size_t steps_;
  std::size_t states_;
  Norm input_norm_;
  std::vector<RowBlock> blocks_;
  Norm final_norm_;
};

}  // namespace diffie::model
