#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "base/assert.h"
#include "base/divide_up.h"
#include "diffie/error.h"
#include "engine/device.h"
#include "engine/quote.h"
#include "engine/stop.h"
#include "extract/role_letters.h"
#include "reshape/reshape.h"
#include "text/lowercase.h"
#include "text/sentence.h"

namespace diffie::engine {
namespace {

constexpr std::size_t kSentencesPerTask = 32;  // when they are tokenized

// Of a task where workers wait for another processor: enough to be worth its while. Of rows that
// are drawn there: enough for the host to be asked seldom.
constexpr std::size_t kTokensPerTask = 6144;
constexpr std::size_t kRowTokensPerTask = 524288;

// What the exception in flight says of the sentence that it met. A wish to stop is nobody's
// failure and goes on.
Failure failure_in_flight() {
  try {
    throw;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    return {error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kExhausted, "out of memory"};
  } catch (const std::exception& error) {
    return {ErrorCode::kInternal, error.what()};
  }
}

void throw_if_failed(const std::optional<Failure>& failure) {
  if (failure) throw Error(failure->code, failure->message);
}

Settings resolved(Settings settings, const model_dir::ModelConfig& config) {
  settings.validate();
  if (settings.steps > config.diffusion.steps) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("steps is {}, must be from 1 to {} (model '{}')", settings.steps,
                            config.diffusion.steps, config.name));
  }
  if (settings.judged > 0 && !config.judge) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("judged is {}, model '{}' has no judge", settings.judged, config.name));
  }
  if (settings.threads == 0) {
    settings.threads = static_cast<std::int32_t>(std::max(1U, std::thread::hardware_concurrency()));
  }
  return settings;
}

// Those that wait for a GPU are as many again for each.
std::size_t num_workers(const Settings& settings, const model::Backend& backend) {
  const auto threads = static_cast<std::size_t>(settings.threads);
  return backend.waits() ? threads + base::divide_up(threads, 2) * settings.devices.size()
                         : threads;
}

bool is_anchored(const ModelParts& model) {
  return model.config.diffusion.kernel == diffusion::KernelKind::kAnchored;
}

std::optional<diffusion::Sampler> make_sampler(const ModelParts& model, const Settings& settings) {
  if (is_anchored(model)) return std::nullopt;
  return diffusion::Sampler(model.config.diffusion, settings);
}

std::optional<diffusion::AnchoredDecoder> make_decoder(const ModelParts& model,
                                                       const Settings& settings) {
  if (!is_anchored(model)) return std::nullopt;
  return diffusion::AnchoredDecoder(model.config.diffusion, settings);
}

// Of the encoder.
std::size_t num_tokens(std::span<const Passage> passages, const Task& task) {
  std::size_t tokens = 0;
  for (const Share& share : task) tokens += passages[share.passage].piece_ids.size() + 2;
  return tokens;
}

// What the encoder costs, in rows of the denoiser.
std::size_t encoder_rows(const model_dir::ModelConfig& config) {
  constexpr std::size_t kTypicalLength = 30;
  return static_cast<std::size_t>(encoder_flop(config, kTypicalLength) /
                                  denoiser_flop(config, kTypicalLength));
}

// The time that `ask` takes, less the denoiser's.
template <typename Ask>
void time_draws(TaskTimes& times, Ask ask) {
  const double denoise_before = times.denoise_s;
  {
    const StageClock clock(times, kDraw);
    ask();
  }
  times.draw_s -= times.denoise_s - denoise_before;
}

}  // namespace

// What was sampled for a passage, until its triples are chosen.
struct Engine::Gathered {
  std::size_t passage = 0;
  extract::CandidateSet pool = {};
  // Where tag sequences are asked for: they, and where they are judged the triple of each.
  CountedTags tags = {};
  std::vector<std::optional<extract::Triple>> triples = {};
};

// What a worker needs to take passages through the stages; kept and used again.
struct Engine::Worker {
  Worker(const ModelParts& model, const model::Backend& backend, const Settings& settings,
         base::TimedRow* of_timeline)
      : row(of_timeline),
        runner(backend.make_runner(settings.judged > 0)),
        encoded(runner->make_context()),
        predictor(*runner, model.config) {
    if (settings.judged > 0) {
      judging.emplace(*runner, model.config, static_cast<std::size_t>(settings.judged));
    }
  }

  void release() {
    runner->release();
    encoded = runner->make_context();
  }

  base::TimedRow* const row;  // null: none
  const std::unique_ptr<model::Runner> runner;
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets;  // of each passage's [CLS], and the end
  std::unique_ptr<model::Context> encoded;
  std::vector<std::uint32_t> first_token;
  std::vector<std::uint8_t> tags;
  std::vector<diffusion::SampleBlock> blocks;
  std::vector<model::DrawnRows> drawn;  // by passage of the task
  std::vector<diffusion::AnchoredSentence> anchored;
  std::vector<std::vector<diffusion::WeightedTags>> decoded;  // by passage of the task
  diffusion::Prediction prediction;
  DenoiserPredictor predictor;
  std::optional<Judging> judging;
  std::vector<Gathered> gathered;  // in the order of first_token
};

// What the tasks of a passage that is cut into parts share.
struct Engine::SplitPassage {
  std::mutex encoding;
  std::unique_ptr<model::Context> encoded;  // null: not yet
  std::vector<std::uint8_t> tags;           // [samples, pieces]
  std::atomic<std::size_t> rows_left = 0;
};

struct Engine::Outcome {
  std::vector<Group> groups;
  CountedTags tags;
  std::vector<model::Judgement> judgements;
  std::optional<Failure> failure;
};

// One call of extract() or sample(): what goes in and what is known so far.
struct Engine::Call {
  std::span<const std::string_view> sentences;
  std::stop_token stop = {};
  bool wants_triples = true;
  Recording* recording = nullptr;  // of the only sentence's first passage, where it is asked for

  std::vector<std::optional<Failure>> not_tokenized = {};  // by sentence
  std::vector<Passage> passages = {};                      // in the sentences' order
  std::vector<Task> tasks = {};
  std::map<std::size_t, SplitPassage> splits = {};  // by passage
  std::vector<Outcome> outcomes = {};               // by passage
  std::mutex failures = {};  // parts of one passage may fail at the same time
};

Engine::Engine(const ModelParts& model, const Settings& settings, Probe probe,
               base::Timeline* timeline)
    : Engine(model, place(model, resolved(settings, model.config)), std::move(probe), timeline) {}

Engine::Engine(const ModelParts& model, Placement placement, Probe probe, base::Timeline* timeline)
    : model_(model),
      settings_(std::move(placement.settings)),
      backend_(*placement.backend),
      sampler_(make_sampler(model, settings_)),
      decoder_(make_decoder(model, settings_)),
      selector_(extract::make_selector(settings_, model.ranker)),
      implied_(text::tokenize_sentence(
          model.tokenizer, fmt::format("{}", fmt::join(model.config.implied_words, " ")),
          text::WordMode::kPretokenized)),
      probe_(std::move(probe)),
      threads_(num_workers(settings_, backend_)) {
  for (std::size_t worker = 0; worker < threads_.size(); ++worker) {
    const auto add_row = [&](base::RowKind kind, const char* name) {
      return &timeline->add_row(kind, fmt::format("{} {}", name, worker));
    };
    base::TimedRow* row = nullptr;
    if (timeline != nullptr) row = add_row(base::RowKind::kWorker, "worker");
    workers_.push_back(std::make_unique<Worker>(model_, backend_, settings_, row));
    if (timeline == nullptr || !backend_.waits()) continue;
    workers_.back()->runner->record_into(*add_row(base::RowKind::kStream, "stream"));
  }
  if (!placement.notice.empty()) notices_.add(std::move(placement.notice));
}

Engine::~Engine() = default;

std::size_t Engine::batch_size() const {
  constexpr std::size_t kPerThread = 32, kPerWaitingThread = 512;
  const auto threads = static_cast<std::size_t>(settings_.threads);
  return threads * (backend_.waits() ? kPerWaitingThread * settings_.devices.size() : kPerThread);
}

std::vector<SentenceResult> Engine::extract(std::span<const std::string_view> sentences,
                                            const std::stop_token& stop) {
  Call call{.sentences = sentences, .stop = stop};
  run(call);
  std::vector<SentenceResult> results(sentences.size());
  std::vector<std::vector<Group>> found(sentences.size());
  const auto fail = [&](std::size_t sentence, const Failure& failure) {
    results[sentence] = {{}, failure.code, failure.message};
  };
  for (std::size_t index = 0; index < sentences.size(); ++index) {
    if (call.not_tokenized[index]) fail(index, *call.not_tokenized[index]);
  }
  for (std::size_t index = 0; index < call.passages.size(); ++index) {
    const std::size_t sentence = call.passages[index].sentence;
    if (results[sentence].error) continue;
    Outcome& outcome = call.outcomes[index];
    if (outcome.failure) {
      fail(sentence, *outcome.failure);
    } else {
      merge(std::move(outcome.groups), found[sentence]);
    }
  }
  for (std::size_t index = 0; index < sentences.size(); ++index) {
    if (results[index].error) continue;
    for (Group& group : found[index])
      std::move(group.begin(), group.end(), std::back_inserter(results[index].extractions));
  }
  return results;
}

std::vector<SentenceSamples> Engine::sample(std::span<const std::string_view> sentences) {
  Call call{.sentences = sentences, .wants_triples = false};
  run(call);
  for (const std::optional<Failure>& failure : call.not_tokenized) throw_if_failed(failure);
  std::vector<SentenceSamples> samples(sentences.size());
  for (std::size_t index = 0; index < call.passages.size(); ++index) {
    Outcome& outcome = call.outcomes[index];
    throw_if_failed(outcome.failure);
    const Passage& passage = call.passages[index];
    SentenceSamples& of_sentence = samples[passage.sentence];
    if (of_sentence.words.empty()) {
      of_sentence.tags = std::move(outcome.tags);
      of_sentence.judgements = std::move(outcome.judgements);
    } else {  // a second passage: no tag sequence spans the sentence
      of_sentence.tags.clear();
      of_sentence.judgements.clear();
    }
    of_sentence.words.insert(of_sentence.words.end(), passage.word_bytes.begin(),
                             passage.word_bytes.end());
  }
  return samples;
}

Recording Engine::record(std::string_view sentence, std::size_t max_trajectories,
                         const std::stop_token& stop) {
  Recording recording;
  recording.max_trajectories = max_trajectories;
  Call call{.sentences = {&sentence, 1}, .stop = stop, .recording = &recording};
  run(call);
  throw_if_failed(call.not_tokenized.front());
  if (call.passages.empty()) return recording;
  throw_if_failed(call.outcomes.front().failure);
  recording.passage = std::move(call.passages.front());
  for (Group& group : call.outcomes.front().groups)
    std::move(group.begin(), group.end(), std::back_inserter(recording.extractions));
  return recording;
}

void Engine::run(Call& call) {
  TaskTimes times;
  times.sentences = call.sentences.size();
  {
    const StageClock clock(times, kExtract);
    tokenize(call);
    plan(call);
    threads_.parallel_for(call.tasks.size(), [&](std::size_t worker, std::size_t index) {
      run_task(call, call.tasks[index], *workers_[worker]);
    });
  }
  totals_.add(times);
}

void Engine::tokenize(Call& call) {
  const std::size_t count = call.sentences.size();
  call.not_tokenized.resize(count);
  std::vector<std::vector<Passage>> by_sentence(count);
  const auto mode = settings_.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
  const auto max_pieces = static_cast<std::size_t>(model_.config.encoder.max_positions) - 2;
  threads_.parallel_for(
      base::divide_up(count, kSentencesPerTask), [&](std::size_t worker, std::size_t task) {
        TaskTimes times(workers_[worker]->row);
        {
          const StageClock clock(times, kTokenize);
          const std::size_t end = std::min((task + 1) * kSentencesPerTask, count);
          for (std::size_t index = task * kSentencesPerTask; index < end; ++index) {
            try {
              const std::string_view text = call.sentences[index];
              by_sentence[index] =
                  make_passages(index, text, text::tokenize_sentence(model_.tokenizer, text, mode),
                                max_pieces, implied_);
            } catch (...) {
              call.not_tokenized[index] = failure_in_flight();
            }
            for (const Passage& passage : by_sentence[index])
              times.pieces += passage.piece_ids.size();
          }
        }
        totals_.add(times);
      });
  for (auto& of_sentence : by_sentence) {
    std::move(of_sentence.begin(), of_sentence.end(), std::back_inserter(call.passages));
  }
  if (call.recording != nullptr && call.passages.size() > 1) {
    call.recording->is_cut = true;
    call.passages.resize(1);
  }
}

void Engine::plan(Call& call) {
  // How many rows an anchored passage will be asked about is not known before; all of them belong
  // together, so it is planned as one that cannot be cut.
  constexpr std::size_t kAnchoredRows = 20;
  WorkShape shape{.threads = call.recording == nullptr ? threads_.size() : 1};  // one: no splits
  if (sampler_) {
    shape.samples = static_cast<std::size_t>(settings_.samples);
    shape.rows_per_branch = sampler_->rows_per_branch();
  }
  shape.cost_per_piece = encoder_rows(model_.config) +
                         (sampler_ ? sampler_->rows_computed(shape.samples) : kAnchoredRows);
  std::vector<std::size_t> pieces;
  for (const Passage& passage : call.passages) pieces.push_back(passage.piece_ids.size());
  call.tasks = backend_.waits() ? plan_groups(pieces, shape.samples, tokens_per_task())
                                : plan_work(pieces, shape);
  for (const Task& task : call.tasks) {
    if (task.front().rows < shape.samples) {
      call.splits[task.front().passage].rows_left = shape.samples;
    }
  }
  call.outcomes.resize(call.passages.size());
}

std::size_t Engine::tokens_per_task() const {
  const std::size_t most = std::min(kTokensPerTask, limit_.tokens());
  if (!sampler_) return most;
  return std::min(most, kRowTokensPerTask / static_cast<std::size_t>(settings_.samples) + 1);
}

// A group that fails is halved until only what is to blame fails; says whether nothing did. Where
// memory was short for it and not for its halves, what comes later is not tried at its size again.
bool Engine::run_task(Call& call, const Task& task, Worker& worker) {
  throw_if_stopped(call.stop);
  std::optional<Failure> failure;
  if (task.size() == 1 || num_tokens(call.passages, task) <= limit_.tokens()) {
    failure = attempt(call, task, worker);
    if (failure && failure->code == ErrorCode::kExhausted)
      failure = after_release(call, task, worker, std::move(*failure));
    if (!failure) return true;
  }
  if (task.size() == 1) {
    const std::lock_guard lock(call.failures);
    call.outcomes[task.front().passage].failure = std::move(failure);
    return false;
  }
  const auto middle = task.begin() + static_cast<std::ptrdiff_t>(base::divide_up(task.size(), 2));
  const Task first(task.begin(), middle), second(middle, task.end());
  const bool first_went = run_task(call, first, worker);
  const bool second_went = run_task(call, second, worker);
  if (!first_went || !second_went) return false;
  if (!failure || failure->code != ErrorCode::kExhausted) return true;
  if (limit_.lower(std::max(num_tokens(call.passages, first), num_tokens(call.passages, second)))) {
    notices_.add(
        fmt::format("memory was short: sentences are taken in smaller groups from here on ({})",
                    failure->message));
  }
  return true;
}

std::optional<Failure> Engine::attempt(Call& call, const Task& task, Worker& worker) {
  const std::shared_lock inside(gate_);
  try {
    carry_out(call, task, worker);
    return std::nullopt;
  } catch (...) {
    return failure_in_flight();
  }
}

// What workers keep for later may be all the memory there is: they give it back, and one passage
// that did not fit is tried once more while nobody else computes.
std::optional<Failure> Engine::after_release(Call& call, const Task& task, Worker& worker,
                                             Failure failure) {
  const std::unique_lock alone(gate_);
  try {
    for (const std::unique_ptr<Worker>& each : workers_) each->release();
    const bool leaves_traces =
        call.recording != nullptr || call.splits.contains(task.front().passage);
    if (task.size() > 1 || leaves_traces) return failure;
    carry_out(call, task, worker);
    return std::nullopt;
  } catch (...) {
    return failure_in_flight();
  }
}

void Engine::carry_out(Call& call, const Task& task, Worker& worker) {
  TaskTimes times(worker.row);
  take_through(call, task, worker, times);
  totals_.add(times);
}

void Engine::take_through(Call& call, const Task& task, Worker& worker, TaskTimes& times) {
  worker.gathered.clear();
  if (decoder_) {
    encode(call, task, *worker.encoded, worker, times);
    decode(call, task, worker, times);
    for (std::size_t i = 0; i < task.size(); ++i) {
      gather(call, task[i].passage, worker.decoded[i], worker, times);
    }
    judge(call, *worker.encoded, worker, times);
    conclude(call, worker, times);
    return;
  }
  const auto found = call.splits.find(task.front().passage);
  SplitPassage* const split = found == call.splits.end() ? nullptr : &found->second;
  DIFFIE_ASSERT(split == nullptr || !backend_.waits());  // then a context is one runner's
  if (split == nullptr) {
    encode(call, task, *worker.encoded, worker, times);
  } else {
    const std::lock_guard lock(split->encoding);  // who comes second waits for the context
    if (!split->encoded) {
      std::unique_ptr<model::Context> encoded = worker.runner->make_context();
      encode(call, task, *encoded, worker, times);
      split->tags.resize(static_cast<std::size_t>(settings_.samples) *
                         call.passages[task.front().passage].piece_ids.size());
      split->encoded = std::move(encoded);
    }
  }
  // A recording shows rows under way, which are asked for one by one.
  const bool draws = worker.runner->draws() && call.recording == nullptr;
  if (draws) {
    draw(call, task, worker, times);
  } else {
    sample(call, task, split, worker, times);
  }
  if (split == nullptr) {
    for (std::size_t i = 0; i < task.size(); ++i) {
      const std::size_t passage = task[i].passage;
      if (draws) {
        gather(call, passage, worker.drawn[i], worker, times);
      } else {
        gather(call, passage, worker.blocks[i].tags, worker, times);
      }
    }
    judge(call, *worker.encoded, worker, times);
    conclude(call, worker, times);
    if (call.recording != nullptr) replay(call, worker, times);
  } else if (split->rows_left.fetch_sub(task.front().rows) == task.front().rows) {
    gather(call, task.front().passage, split->tags, worker, times);  // the last part is done
    judge(call, *split->encoded, worker, times);
    conclude(call, worker, times);
    split->encoded.reset();
    split->tags = {};
  }
}

// Passage i of the task begins, after its [CLS], at token offsets[i] + 1 of what is encoded.
void Engine::encode(const Call& call, const Task& task, model::Context& encoded, Worker& worker,
                    TaskTimes& times) {
  const StageClock clock(times, kEncode);
  worker.ids.clear();
  worker.offsets.assign(1, 0);
  for (const Share& share : task) {
    const Passage& passage = call.passages[share.passage];
    if (probe_) probe_(passage.sentence, task.size());
    worker.ids.push_back(model_.tokenizer.cls_id());
    worker.ids.insert(worker.ids.end(), passage.piece_ids.begin(), passage.piece_ids.end());
    worker.ids.push_back(model_.tokenizer.sep_id());
    worker.offsets.push_back(static_cast<std::uint32_t>(worker.ids.size()));
    times.encode_flop += encoder_flop(model_.config, passage.piece_ids.size());
  }
  worker.runner->encode(worker.ids, worker.offsets, encoded);
}

// Into the worker's tags, passage after passage, or into those that the parts of one share.
void Engine::sample(Call& call, const Task& task, SplitPassage* split, Worker& worker,
                    TaskTimes& times) {
  std::size_t places = 0;
  for (const Share& share : task)
    places += share.rows * call.passages[share.passage].piece_ids.size();
  if (split == nullptr) worker.tags.resize(places);
  std::span<std::uint8_t> rest = worker.tags;
  worker.blocks.clear();
  worker.first_token.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    const std::size_t length = passage.piece_ids.size();
    const std::size_t size = task[i].rows * length;
    worker.first_token.push_back(split == nullptr ? worker.offsets[i] + 1 : 1);
    worker.blocks.push_back(
        {diffusion::sentence_key(settings_.seed, passage.text), task[i].first_row, length,
         split == nullptr ? rest.first(size)
                          : std::span(split->tags).subspan(task[i].first_row * length, size)});
    if (split == nullptr) rest = rest.subspan(size);
  }
  time_draws(times, [&] {
    worker.predictor.set_context({split == nullptr ? worker.encoded.get() : split->encoded.get(),
                                  worker.first_token, call.stop});
    worker.predictor.count_into(times);
    sampler_->sample(worker.blocks, worker.predictor, worker.prediction);
  });
}

// The same where the backend draws: into what the worker has drawn.
void Engine::draw(const Call& call, const Task& task, Worker& worker, TaskTimes& times) {
  const StageClock clock(times, kDenoise);
  std::vector<model::DrawBlock> blocks;
  worker.first_token.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    worker.first_token.push_back(worker.offsets[i] + 1);
    blocks.push_back({diffusion::sentence_key(settings_.seed, passage.text), task[i].first_row,
                      passage.piece_ids.size(), task[i].rows, worker.first_token.back()});
  }
  const auto before_step = [&](std::span<const std::uint32_t> distinct) {
    throw_if_stopped(call.stop);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      times.rows += blocks[i].rows;
      times.rows_computed += distinct[i];
      times.row_pieces += distinct[i] * blocks[i].length;
      times.denoise_flop += distinct[i] * denoiser_flop(model_.config, blocks[i].length);
    }
  };
  worker.drawn = worker.runner->draw(*worker.encoded, sampler_->chain(), blocks, before_step);
}

// Into what the worker has decoded. All passages of the task are asked about together.
void Engine::decode(const Call& call, const Task& task, Worker& worker, TaskTimes& times) {
  worker.anchored.clear();
  worker.first_token.clear();
  for (std::size_t i = 0; i < task.size(); ++i) {
    const Passage& passage = call.passages[task[i].passage];
    worker.first_token.push_back(worker.offsets[i] + 1);
    worker.anchored.push_back({passage.piece_counts, passage.num_implied()});
  }
  time_draws(times, [&] {
    worker.predictor.set_context({worker.encoded.get(), worker.first_token, call.stop});
    worker.predictor.count_into(times);
    RecordingPredictor predictor(worker.predictor, call.recording);
    worker.decoded = decoder_->decode(worker.anchored, predictor, worker.prediction);
  });
}

// The trajectories that a recording shows, once more: their numbers are the same.
void Engine::replay(const Call& call, Worker& worker, TaskTimes& times) {
  const Passage& passage = call.passages.front();
  const diffusion::SampleBlock all = worker.blocks.front();
  worker.blocks.clear();
  for (const auto& [tags, count] : call.recording->tags) {
    if (worker.blocks.size() == call.recording->max_trajectories) break;
    const std::size_t row = first_sample(passage, all.tags, tags);
    worker.blocks.push_back(
        {all.key, row, all.length, all.tags.subspan(row * all.length, all.length)});
  }
  if (worker.blocks.empty()) return;
  worker.first_token.resize(worker.blocks.size(), 1);
  time_draws(times, [&] {
    worker.predictor.set_context({worker.encoded.get(), worker.first_token, call.stop});
    worker.predictor.count_into(times);
    RecordingPredictor predictor(worker.predictor, call.recording);
    sampler_->sample(worker.blocks, predictor, worker.prediction);
  });
}

template <typename Tags>
void Engine::gather(const Call& call, std::size_t index, const Tags& tags, Worker& worker,
                    TaskTimes& times) const {
  const StageClock clock(times, kSelect);
  const Passage& passage = call.passages[index];
  Gathered& gathered = worker.gathered.emplace_back(Gathered{.passage = index});
  if (!call.wants_triples || call.recording != nullptr) gathered.tags = count_tags(passage, tags);
  if (!call.wants_triples && !worker.judging) return;
  extract::CandidateSetBuilder builder = make_builder(passage, call.sentences[passage.sentence]);
  add_tags(passage, tags, builder);
  std::vector<std::vector<extract::Role>> rows;
  for (const auto& [row, count] : gathered.tags) rows.push_back(extract::roles_of(row));
  gathered.triples = builder.triples_of(rows);
  gathered.pool = builder.finish();
}

// Passage i of those gathered begins at token first_token[i] of what was encoded.
void Engine::judge(const Call& call, const model::Context& encoded, Worker& worker,
                   TaskTimes& times) {
  if (!worker.judging) return;
  std::vector<JudgedPassage> asked;
  for (std::size_t i = 0; i < worker.gathered.size(); ++i) {
    asked.push_back({&call.passages[worker.gathered[i].passage], worker.first_token[i],
                     &worker.gathered[i].pool});
  }
  worker.judging->run(encoded, asked, call.stop, times);
}

void Engine::conclude(Call& call, Worker& worker, TaskTimes& times) const {
  const StageClock clock(times, kSelect);
  for (Gathered& gathered : worker.gathered) {
    const Passage& passage = call.passages[gathered.passage];
    Outcome& outcome = call.outcomes[gathered.passage];
    if (!call.wants_triples) {
      outcome.tags = std::move(gathered.tags);
      if (worker.judging) outcome.judgements = judgements_of(gathered.triples, gathered.pool);
      continue;
    }
    std::vector<extract::RankedTriple> chosen = selector_->select(gathered.pool);
    outcome.groups =
        quote_all(passage, chosen, gathered.pool.words, call.sentences[passage.sentence]);
    if (call.recording == nullptr) continue;
    call.recording->tags = std::move(gathered.tags);
    call.recording->triples = std::move(gathered.triples);
    call.recording->pool = std::move(gathered.pool);
    call.recording->chosen = std::move(chosen);
  }
}

std::vector<Engine::Group> Engine::quote_all(const Passage& passage,
                                             std::span<const extract::RankedTriple> chosen,
                                             std::span<const std::string> words,
                                             std::string_view text) const {
  std::vector<Group> groups;
  std::optional<std::size_t> origin;  // of the last group
  for (reshape::Statement& each :
       reshape::reshape(chosen, text, passage.word_bytes, words, settings_)) {
    if (origin != each.origin) groups.emplace_back();
    origin = each.origin;
    Extraction& extraction =
        groups.back().emplace_back(quote(each.ranked, text, passage.word_bytes, implied_words()));
    extraction.factuality = std::move(each.factuality);
    extraction.circumstances = std::move(each.circumstances);
  }
  return groups;
}

extract::CandidateSetBuilder Engine::make_builder(const Passage& passage,
                                                  std::string_view text) const {
  std::vector<std::string> lower_words;
  lower_words.reserve(passage.piece_counts.size());
  for (const Span& word : passage.word_bytes) {
    lower_words.push_back(text::lowercase(text.substr(word.begin, word.end - word.begin)));
  }
  lower_words.insert(lower_words.end(), implied_words().begin(), implied_words().end());
  return {std::move(lower_words), extract::PoolRules(settings_), implied_words().size()};
}

// Passages of one long sentence share its top-k.
void Engine::merge(std::vector<Group> found, std::vector<Group>& all) const {
  if (all.empty()) {
    all = std::move(found);
    return;
  }
  std::move(found.begin(), found.end(), std::back_inserter(all));
  std::stable_sort(all.begin(), all.end(), [](const Group& a, const Group& b) {
    return a.front().confidence > b.front().confidence;
  });
  all.resize(std::min(all.size(), static_cast<std::size_t>(settings_.top_k)));
}

}  // namespace diffie::engine
