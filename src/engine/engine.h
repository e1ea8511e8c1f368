// Sentences to triples, on all cores: tokenizer, encoder, sampler, selection.
#pragma once

#include <functional>
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
#include "diffusion/anchored_decoder.h"
#include "diffusion/sampler.h"
#include "engine/denoiser_predictor.h"
#include "engine/device.h"
#include "engine/failure.h"
#include "engine/judging.h"
#include "engine/memory_limit.h"
#include "engine/model_parts.h"
#include "engine/passage.h"
#include "engine/passage_tags.h"
#include "engine/recording.h"
#include "engine/stage_clock.h"
#include "engine/work_plan.h"
#include "extract/selector.h"

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
//   then every task by itself, from its beginning to its end on one worker:
//   encode      pieces -> context
//   sample      context -> tags of n rows; an anchored model: decode, context -> weighted tags
//   gather      tags -> candidates, or counted tag sequences
//   judge       the candidates of all passages at once, where the settings say so
//   conclude    candidates -> triples
// and in the end the passages of a sentence come together. Scratch memory belongs to a worker and
// is used again. Safe to call from many threads.
class Engine {
 public:
  // A test may make a sentence fail: it is called with the sentence's index before its passage is
  // encoded, and with the number of passages that are encoded together; from any worker.
  using Probe = std::function<void(std::size_t sentence, std::size_t together)>;

  // The model must outlive the engine. Where there is a timeline, each worker and each stream of a
  // GPU adds a row; it must outlive the engine, too, and is complete when the engine is gone.
  Engine(const ModelParts& model, const Settings& settings, Probe probe = {},
         base::Timeline* timeline = nullptr);
  ~Engine();

  const Settings& settings() const { return settings_; }
  StageTimes stage_times() const { return totals_.total(); }
  std::size_t batch_size() const;  // see Extractor
  std::vector<std::string> take_notices() { return notices_.take(); }

  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences,
                                      const std::stop_token& stop = {});
  // Throws what extract() would say of a sentence that fails.
  std::vector<SentenceSamples> sample(std::span<const std::string_view> sentences);
  // What extract() does with the sentence's first passage. Throws as sample() does, and kCancelled.
  Recording record(std::string_view sentence, std::size_t max_trajectories,
                   const std::stop_token& stop = {});

 private:
  struct Worker;
  struct Call;
  struct SplitPassage;
  struct Outcome;
  struct Gathered;

  Engine(const ModelParts& model, Placement placement, Probe probe, base::Timeline* timeline);

  void run(Call& call);
  void tokenize(Call& call);
  void plan(Call& call);
  std::size_t tokens_per_task() const;
  bool run_task(Call& call, const Task& task, Worker& worker);
  std::optional<Failure> attempt(Call& call, const Task& task, Worker& worker);
  std::optional<Failure> after_release(Call& call, const Task& task, Worker& worker,
                                       Failure failure);
  void carry_out(Call& call, const Task& task, Worker& worker);
  void take_through(Call& call, const Task& task, Worker& worker, TaskTimes& times);
  void encode(const Call& call, const Task& task, model::Context& encoded, Worker& worker,
              TaskTimes& times);
  void sample(Call& call, const Task& task, SplitPassage* split, Worker& worker, TaskTimes& times);
  void draw(const Call& call, const Task& task, Worker& worker, TaskTimes& times);
  void decode(const Call& call, const Task& task, Worker& worker, TaskTimes& times);
  void replay(const Call& call, Worker& worker, TaskTimes& times);
  template <typename Tags>
  void gather(const Call& call, std::size_t passage, const Tags& tags, Worker& worker,
              TaskTimes& times) const;
  void judge(const Call& call, const model::Context& encoded, Worker& worker, TaskTimes& times);
  void conclude(Call& call, Worker& worker, TaskTimes& times) const;
  // What became of one chosen triple: never empty, all of one confidence.
  using Group = std::vector<Extraction>;

  std::vector<Group> quote_all(const Passage& passage,
                               std::span<const extract::RankedTriple> chosen,
                               std::span<const std::string> words, std::string_view text) const;
  extract::CandidateSetBuilder make_builder(const Passage& passage, std::string_view text) const;
  void merge(std::vector<Group> found, std::vector<Group>& all) const;
  const std::vector<std::string>& implied_words() const { return model_.config.implied_words; }

  const ModelParts& model_;
  const Settings settings_;
  const model::Backend& backend_;
  // One of the two, by the model's kernel.
  const std::optional<diffusion::Sampler> sampler_;
  const std::optional<diffusion::AnchoredDecoder> decoder_;
  const std::unique_ptr<const extract::Selector> selector_;
  const text::Sentence implied_;  // the model's implied words, tokenized
  const Probe probe_;
  base::Workers threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  StageTotals totals_;
  Gate gate_;  // workers that compute are inside
  GroupLimit limit_;
  Notices notices_;
};

}  // namespace diffie::engine
