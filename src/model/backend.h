// Where a model's networks are computed. The engine asks through this; the CPU's answer is
// cpu_backend.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model/judge.h"
#include "model/row_network.h"

namespace diffie::model {

// What denoiser and judge need of encoded sentences, wherever the backend keeps it.
class Context {
 public:
  virtual ~Context() = default;
};

// One worker's way to the networks. Holds scratch memory; not thread-safe.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::unique_ptr<Context> make_context() const = 0;

  // ids, row_offsets: as BertEncoder::forward has them. Other runners of the same backend may read
  // the context afterwards.
  virtual void encode(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
                      Context& context) = 0;

  // Contexts begin at tokens of what was encoded. The rest is as Denoiser::forward has it.
  virtual void denoise(const Context& context, const RowBatch& rows,
                       std::span<const std::uint8_t> states, std::int32_t step,
                       std::span<float> logits) = 0;

  // As Judge::forward has it.
  virtual void judge(const Context& context, const RowBatch& rows,
                     std::span<const std::uint8_t> tags, std::span<Judgement> judgements) = 0;
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
