#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "engine/model_impl.h"
#include "engine/unit.h"

namespace diffie::engine {

// A unit with the tags of its samples.
struct SampledUnit {
  std::size_t index = 0;  // among the units of the call
  const Unit& unit;
  std::span<const std::uint8_t> tags;  // [samples, pieces]
};

// Sentences to samples, on all cores: tokenizer, encoder, sampler. Units of about equal cost go
// through all stages together in one task; only a unit with more work than that is split. Scratch
// memory belongs to a worker and is used again. Safe to call from many threads.
class Pipeline {
 public:
  // options: resolved. The model must outlive the pipeline.
  Pipeline(const Model::Impl& model, const ExtractorOptions& options);
  ~Pipeline();

  // In the sentences' order.
  std::vector<Unit> make_units(std::span<const std::string_view> sentences);

  // Calls last_stage once per unit, in any order and from all workers.
  using LastStage = std::function<void(const SampledUnit&)>;
  void run(std::span<const Unit> units, const LastStage& last_stage);

  StageTimes stage_times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace diffie::engine
