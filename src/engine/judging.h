// Asking the judge about the candidates of several passages at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "diffie/stage_times.h"
#include "engine/passage.h"
#include "extract/selector.h"
#include "model/judge.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

// Of each triple, where it is one of the pool's; negative: not judged.
std::vector<model::Judgement> judgements_of(std::span<const std::optional<extract::Triple>> triples,
                                            const extract::CandidateSet& pool);

// A passage and its candidates, whose judgements are filled in.
struct JudgedPassage {
  const Passage* passage = nullptr;
  std::uint32_t first_token = 0;  // of its pieces among the projected contexts
  extract::CandidateSet* pool = nullptr;
};

// Holds scratch memory: one per worker. What a candidate gets does not depend on its company.
class Judging {
 public:
  // `judged`: candidates of a passage, the most frequent ones. The judge must outlive this.
  Judging(const model::Judge& judge, const model_dir::ModelConfig& config, std::size_t judged)
      : judge_(judge), config_(config), judged_(judged) {}

  // context [tokens, encoder hidden] -> projected [tokens, judge hidden].
  void project(std::span<const float> context, std::size_t tokens, std::vector<float>& projected,
               model::Workspace& workspace, StageTimes& times) const;

  // Throws kCancelled where a stop is asked for.
  void run(std::span<const float> projected, std::span<const JudgedPassage> passages,
           model::Workspace& workspace, const std::stop_token& stop, StageTimes& times);

 private:
  void add_rows(const JudgedPassage& passage, StageTimes& times);

  const model::Judge& judge_;
  const model_dir::ModelConfig& config_;
  std::size_t judged_;
  // One entry per row of a call, and the tags of all of them.
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> context_begin_;
  std::vector<std::uint8_t> tags_;
  std::vector<model::Judgement> judgements_;
};

}  // namespace diffie::engine
