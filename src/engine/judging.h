// Asking the judge about the candidates of several passages at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/passage.h"
#include "engine/stage_clock.h"
#include "extract/selector.h"
#include "model/backend.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

// Of each triple, where it is one of the pool's; negative: not judged.
std::vector<model::Judgement> judgements_of(std::span<const std::optional<extract::Triple>> triples,
                                            const extract::CandidateSet& pool);

// A passage and its candidates, whose judgements are filled in.
struct JudgedPassage {
  const Passage* passage = nullptr;
  std::uint32_t first_token = 0;  // of its pieces among those encoded
  extract::CandidateSet* pool = nullptr;
};

// Holds scratch memory: one per worker. What a candidate gets does not depend on its company.
class Judging {
 public:
  // `judged`: candidates of a passage, the most frequent ones. The runner must outlive this.
  Judging(model::Runner& runner, const model_dir::ModelConfig& config, std::size_t judged)
      : runner_(runner), config_(config), judged_(judged) {}

  // Throws kCancelled where a stop is asked for.
  void run(const model::Context& encoded, std::span<const JudgedPassage> passages,
           const std::stop_token& stop, TaskTimes& times);

 private:
  void add_rows(const JudgedPassage& passage, TaskTimes& times);

  model::Runner& runner_;
  const model_dir::ModelConfig& config_;
  std::size_t judged_;
  // One entry per row of a call, and the tags of all of them.
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> context_begin_;
  std::vector<std::uint8_t> tags_;
  std::vector<model::Judgement> judgements_;
};

}  // namespace diffie::engine
