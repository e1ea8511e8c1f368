#include "engine/task_runner.h"

#include "base/assert.h"
#include "engine/recording.h"
#include "engine/stop.h"
#include "extract/role_letters.h"

namespace diffie::engine {

TaskRunner::TaskRunner(const Pipeline& pipeline, const Probe& probe, base::TimedRow* of_timeline)
    : pipeline_(pipeline),
      probe_(probe),
      row_(of_timeline),
      runner_(pipeline.backend.make_runner(pipeline.settings.judged > 0)),
      predictor_(*runner_, pipeline.model.config),
      encoded_(runner_->make_context()) {
  const auto judged = static_cast<std::size_t>(pipeline.settings.judged);
  if (judged > 0) judging_.emplace(*runner_, pipeline.model.config, judged);
}

void TaskRunner::release() {
  runner_->release();
  encoded_ = runner_->make_context();
}

void TaskRunner::run(Call& call, const Task& task, StageTotals& totals) {
  times_ = TaskTimes(row_);
  gathered_.clear();
  if (pipeline_.decoder) {
    run_anchored(call, task);
  } else if (const auto split = call.splits.find(task.front().passage);
             split != call.splits.end()) {
    run_part(call, task, split->second);
  } else {
    run_whole(call, task);
  }
  totals.add(times_);
}

void TaskRunner::run_anchored(Call& call, const Task& task) {
  encode(call, task, *encoded_);
  decode(call, task);
  for (std::size_t i = 0; i < task.size(); ++i) gather(call, task[i].passage, decoded_[i]);
  judge(call, *encoded_);
  conclude(call);
}

void TaskRunner::run_whole(Call& call, const Task& task) {
  encode(call, task, *encoded_);
  // A recording shows rows under way, which are asked for one by one.
  if (runner_->draws() && call.recording == nullptr) {
    draw(call, task);
    for (std::size_t i = 0; i < task.size(); ++i) gather(call, task[i].passage, drawn_[i]);
  } else {
    sample(call, task);
    for (std::size_t i = 0; i < task.size(); ++i) gather(call, task[i].passage, blocks_[i].tags);
  }
  judge(call, *encoded_);
  conclude(call);
  if (call.recording != nullptr) replay(call);
}

// Who comes first encodes the passage, who comes last concludes it.
void TaskRunner::run_part(Call& call, const Task& task, SplitPassage& split) {
  DIFFIE_ASSERT(!pipeline_.backend.waits());  // then a context is one runner's
  const Share& part = task.front();
  {
    const std::lock_guard lock(split.encoding);
    if (!split.encoded) {
      std::unique_ptr<model::Context> encoded = runner_->make_context();
      encode(call, task, *encoded);
      split.tags.resize(static_cast<std::size_t>(pipeline_.settings.samples) *
                        call.passages[part.passage].piece_ids.size());
      split.encoded = std::move(encoded);
    }
  }
  sample_part(call, part, split);
  if (split.rows_left.fetch_sub(part.rows) != part.rows) return;
  gather(call, part.passage, split.tags);
  judge(call, *split.encoded);
  conclude(call);
  split.encoded.reset();
  split.tags = {};
}

// Passage i of the task begins, after its [CLS], at token offsets_[i] + 1 of what is encoded.
void TaskRunner::encode(const Call& call, const Task& task, model::Context& encoded) {
  const StageClock clock(times_, kEncode);
  const Tokenizer& tokenizer = pipeline_.model.tokenizer;
  ids_.clear();
  offsets_.assign(1, 0);
  for (const Share& share : task) {
    const Passage& passage = call.passages[share.passage];
    if (probe_) probe_(passage.sentence, task.size());
    ids_.push_back(tokenizer.cls_id());
    ids_.insert(ids_.end(), passage.piece_ids.begin(), passage.piece_ids.end());
    ids_.push_back(tokenizer.sep_id());
    offsets_.push_back(static_cast<std::uint32_t>(ids_.size()));
    times_.encode_flop += encoder_flop(pipeline_.model.config, passage.piece_ids.size());
  }
  runner_->encode(ids_, offsets_, encoded);
}

diffusion::SampleBlock TaskRunner::block_of(const Passage& passage, std::size_t first_row,
                                            std::span<std::uint8_t> tags) const {
  return {diffusion::sentence_key(pipeline_.settings.seed, passage.text), first_row,
          passage.piece_ids.size(), tags};
}

// The time that `ask` takes, less the denoiser's.
template <typename Ask>
void TaskRunner::time_draws(const Call& call, const model::Context& encoded, Ask ask) {
  const double denoise_before = times_.denoise_s;
  {
    const StageClock clock(times_, kDraw);
    predictor_.set_context({&encoded, first_token_, call.stop});
    predictor_.count_into(times_);
    ask();
  }
  times_.draw_s -= times_.denoise_s - denoise_before;
}

// Into tags_, passage after passage.
void TaskRunner::sample(const Call& call, const Task& task) {
  std::size_t places = 0;
  for (const Share& share : task)
    places += share.rows * call.passages[share.passage].piece_ids.size();
  tags_.resize(places);
  std::span<std::uint8_t> rest = tags_;
  blocks_.clear();
  first_token_.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    const std::size_t size = task[i].rows * passage.piece_ids.size();
    first_token_.push_back(offsets_[i] + 1);
    blocks_.push_back(block_of(passage, task[i].first_row, rest.first(size)));
    rest = rest.subspan(size);
  }
  time_draws(call, *encoded_, [&] { pipeline_.sampler->sample(blocks_, predictor_, prediction_); });
}

// Into the tags that the parts share.
void TaskRunner::sample_part(const Call& call, const Share& part, SplitPassage& split) {
  const Passage& passage = call.passages[part.passage];
  const std::size_t length = passage.piece_ids.size();
  first_token_.assign(1, 1);
  blocks_.assign(
      1, block_of(passage, part.first_row,
                  std::span(split.tags).subspan(part.first_row * length, part.rows * length)));
  time_draws(call, *split.encoded,
             [&] { pipeline_.sampler->sample(blocks_, predictor_, prediction_); });
}

// The same where the backend draws: into drawn_.
void TaskRunner::draw(const Call& call, const Task& task) {
  const StageClock clock(times_, kDenoise);
  std::vector<model::DrawBlock> blocks;
  first_token_.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    first_token_.push_back(offsets_[i] + 1);
    blocks.push_back({diffusion::sentence_key(pipeline_.settings.seed, passage.text),
                      task[i].first_row, passage.piece_ids.size(), task[i].rows,
                      first_token_.back()});
  }
  const auto before_step = [&](std::span<const std::uint32_t> distinct) {
    throw_if_stopped(call.stop);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      times_.rows += blocks[i].rows;
      times_.rows_computed += distinct[i];
      times_.row_pieces += distinct[i] * blocks[i].length;
      times_.denoise_flop += distinct[i] * denoiser_flop(pipeline_.model.config, blocks[i].length);
    }
  };
  drawn_ = runner_->draw(*encoded_, pipeline_.sampler->chain(), blocks, before_step);
}

// Into decoded_. All passages of the task are asked about together.
void TaskRunner::decode(const Call& call, const Task& task) {
  anchored_.clear();
  first_token_.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    first_token_.push_back(offsets_[i] + 1);
    anchored_.push_back({passage.piece_counts, passage.num_implied()});
  }
  time_draws(call, *encoded_, [&] {
    RecordingPredictor predictor(predictor_, call.recording);
    decoded_ = pipeline_.decoder->decode(anchored_, predictor, prediction_);
  });
}

// The trajectories that a recording shows, once more: their numbers are the same.
void TaskRunner::replay(const Call& call) {
  const Passage& passage = call.passages.front();
  const diffusion::SampleBlock all = blocks_.front();
  blocks_.clear();
  for (const auto& [tags, count] : call.recording->tags) {
    if (blocks_.size() == call.recording->max_trajectories) break;
    const std::size_t row = first_sample(passage, all.tags, tags);
    blocks_.push_back(block_of(passage, row, all.tags.subspan(row * all.length, all.length)));
  }
  if (blocks_.empty()) return;
  first_token_.resize(blocks_.size(), 1);
  time_draws(call, *encoded_, [&] {
    RecordingPredictor predictor(predictor_, call.recording);
    pipeline_.sampler->sample(blocks_, predictor, prediction_);
  });
}

template <typename Tags>
void TaskRunner::gather(const Call& call, std::size_t index, const Tags& tags) {
  const StageClock clock(times_, kSelect);
  const Passage& passage = call.passages[index];
  Gathered& gathered = gathered_.emplace_back(Gathered{.passage = index});
  if (!call.wants_triples || call.recording != nullptr) gathered.tags = count_tags(passage, tags);
  if (!call.wants_triples && !judging_) return;
  extract::CandidateSetBuilder builder =
      pipeline_.make_builder(passage, call.sentences[passage.sentence]);
  add_tags(passage, tags, builder);
  std::vector<std::vector<extract::Role>> rows;
  for (const auto& [row, count] : gathered.tags) rows.push_back(extract::roles_of(row));
  gathered.triples = builder.triples_of(rows);
  gathered.pool = builder.finish();
}

// Passage i of those gathered begins at token first_token_[i] of what was encoded.
void TaskRunner::judge(const Call& call, const model::Context& encoded) {
  if (!judging_) return;
  std::vector<JudgedPassage> asked;
  for (std::size_t i = 0; i < gathered_.size(); ++i) {
    asked.push_back({&call.passages[gathered_[i].passage], first_token_[i], &gathered_[i].pool});
  }
  judging_->run(encoded, asked, call.stop, times_);
}

void TaskRunner::conclude(Call& call) {
  const StageClock clock(times_, kSelect);
  for (Gathered& gathered : gathered_) {
    const Passage& passage = call.passages[gathered.passage];
    Outcome& outcome = call.outcomes[gathered.passage];
    if (!call.wants_triples) {
      outcome.tags = std::move(gathered.tags);
      if (judging_) outcome.judgements = judgements_of(gathered.triples, gathered.pool);
      continue;
    }
    std::vector<extract::RankedTriple> chosen = pipeline_.selector->select(gathered.pool);
    outcome.groups =
        pipeline_.quote_all(passage, chosen, gathered.pool.words, call.sentences[passage.sentence]);
    if (call.recording == nullptr) continue;
    call.recording->tags = std::move(gathered.tags);
    call.recording->triples = std::move(gathered.triples);
    call.recording->pool = std::move(gathered.pool);
    call.recording->chosen = std::move(chosen);
  }
}

}  // namespace diffie::engine
