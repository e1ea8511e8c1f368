// Where a model's networks are computed. The engine asks through this; the CPU's answer is
// cpu_backend.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/timeline.h"
#include "diffusion/chain.h"
#include "model/judge.h"
#include "model/row_network.h"

namespace diffie::model {

// What denoiser and judge need of encoded sentences, wherever the backend keeps it.
class Context {
 public:
  virtual ~Context() = default;
};

// Rows of one sentence that are drawn together, as diffusion::SampleBlock has them.
struct DrawBlock {
  std::uint64_t key = 0;
  std::uint64_t first_trajectory = 0;
  std::size_t length = 0;
  std::size_t rows = 0;
  std::uint32_t context_begin = 0;  // token of what was encoded
};

// The distinct ones among rows that were drawn, in the order in which they first came.
struct DrawnRows {
  std::vector<std::uint8_t> tags;     // [distinct, length]
  std::vector<std::uint32_t> counts;  // [distinct]
};

// Called with the number of distinct rows of each block that the denoiser is about to be asked
// about. May throw.
using BeforeStep = std::function<void(std::span<const std::uint32_t> distinct)>;

// One worker's way to the networks. Holds scratch memory; not thread-safe.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::unique_ptr<Context> make_context() const = 0;

  // ids, row_offsets: as BertEncoder::forward has them. Where the backend does not wait() other
  // runners of it may read the context afterwards; else it is this one's alone.
  virtual void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
                      Context& context) = 0;

  // Contexts begin at tokens of what was encoded. The rest is as Denoiser::forward has it.
  virtual void denoise(const Context& context, const RowBatch& rows,
                       std::span<const std::uint8_t> states, std::int32_t step,
                       std::span<float> logits) = 0;

  // Whether draw() is there.
  virtual bool draws() const { return false; }

  // What diffusion::Sampler draws with denoise() along this chain, without coming back for every
  // step. The random numbers are the same, and equal logits give equal tags.
  virtual std::vector<DrawnRows> draw(const Context&, const diffusion::Chain&,
                                      std::span<const DrawBlock>, const BeforeStep&) {
    DIFFIE_ASSERT(draws());
    return {};
  }

  // As Judge::forward has it.
  virtual void judge(const Context& context, const RowBatch& rows,
                     std::span<const std::uint8_t> tags, std::span<Judgement> judgements) = 0;

  // Gives back the memory that is kept for calls to come. Contexts are their owners'.
  virtual void release() = 0;

  // From here on the row shows when the processor that is waited for has work of this runner's. It
  // is complete when the runner is gone.
  virtual void record_into(base::TimedRow&) {}
};

// The networks of a model, immutable and shared between threads.
class Backend {
 public:
  virtual ~Backend() = default;

  // judges: judge() will be called; the model must have one. The backend must outlive the runner.
  virtual std::unique_ptr<Runner> make_runner(bool judges) const = 0;

  // Whether a runner waits for another processor meanwhile: then large tasks are better, and more
  // workers than there are cores.
  virtual bool waits() const = 0;
};

}  // namespace diffie::model
