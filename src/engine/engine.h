// Sentences to triples, on all cores: tokenizer, encoder, sampler, selection.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/timeline.h"
#include "base/workers.h"
#include "diffie/extractor.h"
#include "engine/call.h"
#include "engine/device.h"
#include "engine/memory_limit.h"
#include "engine/model_parts.h"
#include "engine/pipeline.h"
#include "engine/recording.h"
#include "engine/stage_clock.h"
#include "engine/task_runner.h"

namespace diffie::engine {

// What was sampled for a sentence, before anything is chosen.
struct SentenceSamples {
  std::vector<Span> words;  // bytes of the sentence
  // None when the sentence is empty or too long for the encoder. Those of an anchored model have
  // weights as counts, which sum to diffusion::kWeightUnit.
  CountedTags tags;
  // Of the triple that each of them gives by the settings' rule; negative: not judged. None at all
  // where the judge is not asked.
  std::vector<model::Judgement> judgements;
};

// A call goes through the stages in this order:
//   tokenize    sentences -> passages, nearly always one each
//   plan        passages -> tasks of about equal cost
//   then every task by itself on one worker, as TaskRunner says
// and in the end the passages of a sentence come together. Safe to call from many threads.
class Engine {
 public:
  // The model must outlive the engine. Where there is a timeline, each worker and each stream of a
  // GPU adds a row; it must outlive the engine, too, and is complete when the engine is gone.
  Engine(const ModelParts& model, const Settings& settings, Probe probe = {},
         base::Timeline* timeline = nullptr);

  const Settings& settings() const { return pipeline_.settings; }
  StageTimes stage_times() const { return totals_.total(); }
  std::size_t batch_size() const;  // see Extractor
  std::vector<std::string> take_notices() { return notices_.take(); }
  void release();  // see Extractor::release_memory

  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences,
                                      const std::stop_token& stop = {});
  // Throws what extract() would say of a sentence that fails.
  std::vector<SentenceSamples> sample(std::span<const std::string_view> sentences);
  // What extract() does with the sentence's first passage. Throws as sample() does, and kCancelled.
  Recording record(std::string_view sentence, std::size_t max_trajectories,
                   const std::stop_token& stop = {});

 private:
  Engine(const ModelParts& model, Placement placement, Probe probe, base::Timeline* timeline);

  void run(Call& call);
  void tokenize(Call& call);
  void plan(Call& call);
  std::size_t tokens_per_task() const;
  bool run_task(Call& call, const Task& task, TaskRunner& runner);
  std::optional<Failure> attempt(Call& call, const Task& task, TaskRunner& runner);
  std::optional<Failure> after_release(Call& call, const Task& task, TaskRunner& runner,
                                       Failure failure);
  void merge(std::vector<Group> found, std::vector<Group>& all) const;

  const Probe probe_;
  const Pipeline pipeline_;
  base::Workers threads_;
  std::vector<std::unique_ptr<TaskRunner>> runners_;  // one a thread
  StageTotals totals_;
  Gate gate_;  // workers that compute are inside
  GroupLimit limit_;
  Notices notices_;
};

}  // namespace diffie::engine
