#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/timeline.h"
#include "engine/call.h"
#include "engine/denoiser_predictor.h"
#include "engine/judging.h"
#include "engine/pipeline.h"
#include "engine/stage_clock.h"

namespace diffie::engine {

// A test may make a sentence fail: it is called with the sentence's index before its passage is
// encoded, and with the number of passages that are encoded together; from any worker.
using Probe = std::function<void(std::size_t sentence, std::size_t together)>;

// Takes a task through its stages, from its beginning to its end:
//   encode      pieces -> context
//   sample      context -> tags of n rows; an anchored model: decode, context -> weighted tags
//   gather      tags -> candidates, or counted tag sequences
//   judge       the candidates of all passages at once, where the settings say so
//   conclude    candidates -> triples
// One per worker: scratch memory is kept and used again, after what was thrown, too.
class TaskRunner {
 public:
  // All must outlive it. of_timeline: null where there is none.
  TaskRunner(const Pipeline& pipeline, const Probe& probe, base::TimedRow* of_timeline);

  void run(Call& call, const Task& task, StageTotals& totals);

  // Gives back the memory that is kept for tasks to come.
  void release();

  // See model::Runner.
  void record_into(base::TimedRow& stream) { runner_->record_into(stream); }

  base::TimedRow* row() const { return row_; }

 private:
  // What was sampled for a passage, until its triples are chosen.
  struct Gathered {
    std::size_t passage = 0;
    extract::CandidateSet pool = {};
    // Where tag sequences are asked for: they, and where they are judged the triple of each.
    CountedTags tags = {};
    std::vector<std::optional<extract::Triple>> triples = {};
  };

  void run_anchored(Call& call, const Task& task);
  void run_whole(Call& call, const Task& task);
  void run_part(Call& call, const Task& task, SplitPassage& split);

  void encode(const Call& call, const Task& task, model::Context& encoded);
  void sample(const Call& call, const Task& task);
  void sample_part(const Call& call, const Share& part, SplitPassage& split);
  void draw(const Call& call, const Task& task);
  void decode(const Call& call, const Task& task);
  void replay(const Call& call);
  diffusion::SampleBlock block_of(const Passage& passage, std::size_t first_row,
                                  std::span<std::uint8_t> tags) const;
  template <typename Ask>
  void time_draws(const Call& call, const model::Context& encoded, Ask ask);

  template <typename Tags>
  void gather(const Call& call, std::size_t passage, const Tags& tags);
  void judge(const Call& call, const model::Context& encoded);
  void conclude(Call& call);

  const Pipeline& pipeline_;
  const Probe& probe_;
  base::TimedRow* const row_;
  const std::unique_ptr<model::Runner> runner_;
  DenoiserPredictor predictor_;
  std::optional<Judging> judging_;
  TaskTimes times_;  // of the task

  std::vector<std::int32_t> ids_;
  std::vector<std::uint32_t> offsets_;  // of each passage's [CLS], and the end
  std::unique_ptr<model::Context> encoded_;
  std::vector<std::uint32_t> first_token_;  // of each passage's pieces among those encoded
  std::vector<std::uint8_t> tags_;
  std::vector<diffusion::SampleBlock> blocks_;
  std::vector<model::DrawnRows> drawn_;  // by passage of the task
  std::vector<diffusion::AnchoredSentence> anchored_;
  std::vector<std::vector<diffusion::WeightedTags>> decoded_;  // by passage of the task
  diffusion::Prediction prediction_;
  std::vector<Gathered> gathered_;  // in the order of first_token_
};

}  // namespace diffie::engine
