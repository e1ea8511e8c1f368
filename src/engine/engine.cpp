#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "base/divide_up.h"
#include "base/field_error.h"
#include "engine/device.h"
#include "engine/stop.h"
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
    throw base::FieldError(ErrorCode::kInvalidArgument, "steps",
                           fmt::format("steps is {}, must be from 1 to {} (model '{}')",
                                       settings.steps, config.diffusion.steps, config.name));
  }
  if (settings.judged > 0 && !config.judge) {
    throw base::FieldError(
        ErrorCode::kInvalidArgument, "judged",
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

}  // namespace

Engine::Engine(const ModelParts& model, const Settings& settings, Probe probe,
               base::Timeline* timeline)
    : Engine(model, place(model, resolved(settings, model.config)), std::move(probe), timeline) {}

Engine::Engine(const ModelParts& model, Placement placement, Probe probe, base::Timeline* timeline)
    : probe_(std::move(probe)),
      pipeline_(model, placement),
      threads_(num_workers(pipeline_.settings, pipeline_.backend)) {
  for (std::size_t worker = 0; worker < threads_.size(); ++worker) {
    const auto add_row = [&](base::RowKind kind, const char* name) {
      return &timeline->add_row(kind, fmt::format("{} {}", name, worker));
    };
    base::TimedRow* row = nullptr;
    if (timeline != nullptr) row = add_row(base::RowKind::kWorker, "worker");
    runners_.push_back(std::make_unique<TaskRunner>(pipeline_, probe_, row));
    if (timeline == nullptr || !pipeline_.backend.waits()) continue;
    runners_.back()->record_into(*add_row(base::RowKind::kStream, "stream"));
  }
  if (!placement.notice.empty()) notices_.add(std::move(placement.notice));
}

std::size_t Engine::batch_size() const {
  constexpr std::size_t kPerThread = 32, kPerWaitingThread = 512;
  const auto threads = static_cast<std::size_t>(pipeline_.settings.threads);
  return threads * (pipeline_.backend.waits()
                        ? kPerWaitingThread * pipeline_.settings.devices.size()
                        : kPerThread);
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
      run_task(call, call.tasks[index], *runners_[worker]);
    });
  }
  totals_.add(times);
}

void Engine::tokenize(Call& call) {
  const std::size_t count = call.sentences.size();
  call.not_tokenized.resize(count);
  std::vector<std::vector<Passage>> by_sentence(count);
  const auto mode =
      pipeline_.settings.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
  const auto max_pieces =
      static_cast<std::size_t>(pipeline_.model.config.encoder.max_positions) - 2;
  threads_.parallel_for(
      base::divide_up(count, kSentencesPerTask), [&](std::size_t worker, std::size_t task) {
        TaskTimes times(runners_[worker]->row());
        {
          const StageClock clock(times, kTokenize);
          const std::size_t end = std::min((task + 1) * kSentencesPerTask, count);
          for (std::size_t index = task * kSentencesPerTask; index < end; ++index) {
            try {
              const std::string_view text = call.sentences[index];
              by_sentence[index] = make_passages(
                  index, text, text::tokenize_sentence(pipeline_.model.tokenizer, text, mode),
                  max_pieces, pipeline_.implied);
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
  if (pipeline_.sampler) {
    shape.samples = static_cast<std::size_t>(pipeline_.settings.samples);
    shape.rows_per_branch = pipeline_.sampler->rows_per_branch();
  }
  shape.cost_per_piece =
      encoder_rows(pipeline_.model.config) +
      (pipeline_.sampler ? pipeline_.sampler->rows_computed(shape.samples) : kAnchoredRows);
  std::vector<std::size_t> pieces;
  for (const Passage& passage : call.passages) pieces.push_back(passage.piece_ids.size());
  call.tasks = pipeline_.backend.waits() ? plan_groups(pieces, shape.samples, tokens_per_task())
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
  if (!pipeline_.sampler) return most;
  return std::min(most,
                  kRowTokensPerTask / static_cast<std::size_t>(pipeline_.settings.samples) + 1);
}

// A group that fails is halved until only what is to blame fails; says whether nothing did. Where
// memory was short for it and not for its halves, what comes later is not tried at its size again.
bool Engine::run_task(Call& call, const Task& task, TaskRunner& runner) {
  throw_if_stopped(call.stop);
  std::optional<Failure> failure;
  if (task.size() == 1 || num_tokens(call.passages, task) <= limit_.tokens()) {
    failure = attempt(call, task, runner);
    if (failure && failure->code == ErrorCode::kExhausted)
      failure = after_release(call, task, runner, std::move(*failure));
    if (!failure) return true;
  }
  if (task.size() == 1) {
    const std::lock_guard lock(call.failures);
    call.outcomes[task.front().passage].failure = std::move(failure);
    return false;
  }
  const auto middle = task.begin() + static_cast<std::ptrdiff_t>(base::divide_up(task.size(), 2));
  const Task first(task.begin(), middle), second(middle, task.end());
  const bool first_went = run_task(call, first, runner);
  const bool second_went = run_task(call, second, runner);
  if (!first_went || !second_went) return false;
  if (!failure || failure->code != ErrorCode::kExhausted) return true;
  if (limit_.lower(std::max(num_tokens(call.passages, first), num_tokens(call.passages, second)))) {
    notices_.add(
        fmt::format("memory was short: sentences are taken in smaller groups from here on ({})",
                    failure->message));
  }
  return true;
}

std::optional<Failure> Engine::attempt(Call& call, const Task& task, TaskRunner& runner) {
  const std::shared_lock inside(gate_);
  try {
    runner.run(call, task, totals_);
    return std::nullopt;
  } catch (...) {
    return failure_in_flight();
  }
}

// What workers keep for later may be all the memory there is: they give it back, and one passage
// that did not fit is tried once more while nobody else computes.
std::optional<Failure> Engine::after_release(Call& call, const Task& task, TaskRunner& runner,
                                             Failure failure) {
  const std::unique_lock alone(gate_);
  try {
    for (const std::unique_ptr<TaskRunner>& each : runners_) each->release();
    const bool leaves_traces =
        call.recording != nullptr || call.splits.contains(task.front().passage);
    if (task.size() > 1 || leaves_traces) return failure;
    runner.run(call, task, totals_);
    return std::nullopt;
  } catch (...) {
    return failure_in_flight();
  }
}

void Engine::release() {
  const std::unique_lock alone(gate_, std::try_to_lock);
  if (!alone) return;
  for (const std::unique_ptr<TaskRunner>& each : runners_) each->release();
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
  all.resize(std::min(all.size(), static_cast<std::size_t>(pipeline_.settings.top_k)));
}

}  // namespace diffie::engine
