#include "engine/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/divide_up.h"
#include "diffusion/sampler.h"
#include "engine/batch_sampler.h"
#include "engine/stage_clock.h"
#include "base/thread_pool.h"
#include "engine/work_plan.h"
#include "text/sentence.h"

namespace diffie::engine {
namespace {

constexpr std::size_t kSentencesPerTask = 32;  // when they are tokenized
// What is held at a time of the units that are split, and of the tags of their samples; bounds
// memory for any number of sentences.
constexpr std::size_t kUnitsPerWave = 256;
constexpr std::size_t kTagsPerWave = std::size_t{64} << 20;

model::Precision precision_of(const ExtractorOptions& options) {
  return options.precision == "fp32" ? model::Precision::kFp32 : model::Precision::kInt8;
}

diffusion::SamplerOptions sampler_options(const ExtractorOptions& options,
                                          const model_dir::ModelConfig& config) {
  diffusion::SamplerOptions out;
  const model_dir::PresetConfig& preset = config.presets.at(options.preset);
  out.steps = *options.steps;
  out.temperature = *options.temperature;
  out.remask = preset.remask;
  if (out.steps == preset.steps) {
    out.times = preset.times;
    out.shared = preset.shared;
  }
  out.stratified = preset.stratified;
  if (preset.last_temperature > 0) out.last_temperature = preset.last_temperature;
  return out;
}

// What a worker needs to take units through the stages; kept and used again.
struct Worker {
  explicit Worker(BatchSampler batch_sampler) : sampler(std::move(batch_sampler)) {}

  BatchSampler sampler;
  model::Workspace workspace;
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets;
  std::vector<float> context;    // [tokens, encoder hidden]
  std::vector<float> projected;  // [tokens, denoiser hidden]
  std::vector<std::uint8_t> tags;
  std::vector<SampleBlock> blocks;
};

// A unit whose trajectories are spread over several tasks.
struct SplitUnit {
  UnitSplit plan;
  std::vector<float> projected;    // [pieces + 2, denoiser hidden]
  std::vector<std::uint8_t> tags;  // [samples, pieces]
};

struct SampleTask {
  std::size_t split = 0;  // index into the wave's split units
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

}  // namespace

class Pipeline::Impl {
 public:
  Impl(const Model::Impl& model, const ExtractorOptions& options)
      : parts_(model),
        options_(options),
        networks_(parts_.networks(precision_of(options_))),
        samples_(static_cast<std::size_t>(*options.samples)),
        sampler_(parts_.config.diffusion, sampler_options(options_, parts_.config)),
        implied_(text::tokenize_sentence(
            parts_.tokenizer, fmt::format("{}", fmt::join(parts_.config.implied_words, " ")),
            text::WordMode::kPretokenized)),
        pool_(static_cast<std::size_t>(options_.threads)) {
    for (std::size_t worker = 0; worker < pool_.size(); ++worker) {
      workers_.emplace_back(BatchSampler(networks_.denoiser, parts_.config, sampler_));
    }
  }

  std::vector<Unit> make_units(std::span<const std::string_view> sentences) {
    StageTimes call;
    call.sentences = sentences.size();
    std::vector<Unit> units;
    {
      const StageClock clock(call.wall_s);
      units = tokenize_all(sentences);
    }
    totals_.add(call);
    return units;
  }

  void run(std::span<const Unit> units, const LastStage& last_stage) {
    StageTimes times;
    {
      const StageClock clock(times.wall_s);
      std::vector<std::size_t> pieces;
      for (const Unit& unit : units) pieces.push_back(unit.piece_ids.size());
      const WorkPlan plan = plan_work(pieces, cost_per_piece(), pool_.size());
      run_split_units(units, plan, last_stage);
      pool_.parallel_for(plan.groups.size(), [&](std::size_t worker, std::size_t index) {
        run_group(units, plan.groups[index], workers_[worker], last_stage);
      });
    }
    totals_.add(times);
  }

  StageTimes stage_times() const { return totals_.total(); }

 private:
  // In pieces through one step of the denoiser, the encoder counted as so many of them.
  std::size_t cost_per_piece() const {
    constexpr std::size_t kTypicalLength = 30;
    return sampler_.rows_computed(samples_) +
           static_cast<std::size_t>(encoder_flop(parts_.config, kTypicalLength) /
                                    denoiser_flop(parts_.config, kTypicalLength));
  }

  std::vector<Unit> tokenize_all(std::span<const std::string_view> sentences) {
    std::vector<std::vector<Unit>> by_sentence(sentences.size());
    const std::size_t tasks = (sentences.size() + kSentencesPerTask - 1) / kSentencesPerTask;
    pool_.parallel_for(tasks, [&](std::size_t, std::size_t task) {
      StageTimes times;
      {
        const StageClock clock(times.tokenize_s);
        const std::size_t begin = task * kSentencesPerTask;
        const std::size_t end = std::min(begin + kSentencesPerTask, sentences.size());
        for (std::size_t index = begin; index < end; ++index) {
          by_sentence[index] = tokenize(index, sentences[index]);
          for (const auto& unit : by_sentence[index]) times.pieces += unit.piece_ids.size();
        }
      }
      totals_.add(times);
    });
    std::vector<Unit> units;
    for (auto& of_sentence : by_sentence) {
      std::move(of_sentence.begin(), of_sentence.end(), std::back_inserter(units));
    }
    return units;
  }

  std::vector<Unit> tokenize(std::size_t index, std::string_view text) const {
    const auto mode = options_.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
    const auto max_pieces = static_cast<std::size_t>(parts_.config.encoder.max_positions) - 2;
    return engine::make_units(index, text, text::tokenize_sentence(parts_.tokenizer, text, mode),
                              max_pieces, implied_);
  }

  // All stages of a few units in one task: no unit waits for another one's.
  void run_group(std::span<const Unit> units, const UnitGroup& group, Worker& worker,
                 const LastStage& last_stage) {
    StageTimes times;
    encode(units, group, worker, times);
    std::size_t pieces = 0;
    for (const std::size_t index : group) pieces += units[index].piece_ids.size();
    worker.tags.resize(pieces * samples_);
    worker.blocks.clear();
    std::span<std::uint8_t> rest = worker.tags;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Unit& unit = units[group[i]];
      const std::size_t length = unit.piece_ids.size();
      worker.blocks.push_back({diffusion::sentence_key(options_.seed, unit.text),
                               worker.offsets[i] + 1, length, 0, rest.first(samples_ * length)});
      rest = rest.subspan(samples_ * length);
    }
    worker.sampler.sample(worker.projected, worker.blocks, worker.workspace, times);
    {
      const StageClock clock(times.select_s);
      for (std::size_t i = 0; i < group.size(); ++i) {
        last_stage({group[i], units[group[i]], worker.blocks[i].tags});
      }
    }
    totals_.add(times);
  }

  // Fills the worker's offsets and its projected context: unit i of the group begins, after its
  // [CLS], at token offsets[i] + 1.
  void encode(std::span<const Unit> units, std::span<const std::size_t> group, Worker& worker,
              StageTimes& times) const {
    const StageClock clock(times.encode_s);
    worker.ids.clear();
    worker.offsets.assign(1, 0);
    for (const std::size_t index : group) {
      const Unit& unit = units[index];
      worker.ids.push_back(parts_.tokenizer.cls_id());
      worker.ids.insert(worker.ids.end(), unit.piece_ids.begin(), unit.piece_ids.end());
      worker.ids.push_back(parts_.tokenizer.sep_id());
      worker.offsets.push_back(static_cast<std::uint32_t>(worker.ids.size()));
      times.encode_flop += encoder_flop(parts_.config, unit.piece_ids.size());
    }
    const std::size_t tokens = worker.ids.size();
    worker.context.resize(tokens * static_cast<std::size_t>(parts_.config.encoder.hidden));
    networks_.encoder.forward(worker.ids, worker.offsets, worker.context, worker.workspace);
    worker.projected.resize(tokens * static_cast<std::size_t>(networks_.denoiser.hidden()));
    networks_.denoiser.project_context(worker.context, tokens, worker.projected, worker.workspace);
  }

  // Units with more work than a task should have, in waves that bound the memory for their tags:
  // encoded, sampled and handed on, stage after stage.
  void run_split_units(std::span<const Unit> units, const WorkPlan& plan,
                       const LastStage& last_stage) {
    std::vector<SplitUnit> wave;
    std::size_t tags = 0;
    for (std::size_t i = 0; i < plan.alone.size(); ++i) {
      wave.push_back({plan.alone[i], {}, {}});
      tags += units[plan.alone[i].unit].piece_ids.size() * samples_;
      if (i + 1 < plan.alone.size() && wave.size() < kUnitsPerWave && tags < kTagsPerWave) continue;
      run_split_wave(units, wave, last_stage);
      wave.clear();
      tags = 0;
    }
  }

  void run_split_wave(std::span<const Unit> units, std::span<SplitUnit> wave,
                      const LastStage& last_stage) {
    pool_.parallel_for(wave.size(), [&](std::size_t worker, std::size_t index) {
      StageTimes times;
      encode(units, {&wave[index].plan.unit, 1}, workers_[worker], times);
      wave[index].projected = workers_[worker].projected;
      totals_.add(times);
    });
    const std::vector<SampleTask> tasks = make_sample_tasks(units, wave);
    pool_.parallel_for(tasks.size(), [&](std::size_t worker, std::size_t index) {
      SplitUnit& split = wave[tasks[index].split];
      run_sample_task(units[split.plan.unit], split, tasks[index], workers_[worker]);
    });
    pool_.parallel_for(wave.size(), [&](std::size_t, std::size_t index) {
      StageTimes times;
      {
        const StageClock clock(times.select_s);
        const std::size_t unit = wave[index].plan.unit;
        last_stage({unit, units[unit], wave[index].tags});
      }
      totals_.add(times);
    });
  }

  // Trajectories are independent, so a block of them is a task of its own through all steps.
  std::vector<SampleTask> make_sample_tasks(std::span<const Unit> units,
                                            std::span<SplitUnit> wave) const {
    const std::size_t family = sampler_.family();
    std::vector<SampleTask> tasks;
    for (std::size_t index = 0; index < wave.size(); ++index) {
      const UnitSplit& plan = wave[index].plan;
      wave[index].tags.resize(samples_ * units[plan.unit].piece_ids.size());
      const std::size_t families = base::divide_up(samples_, family);
      const std::size_t block = base::divide_up(families, plan.parts) * family;
      for (std::size_t row = 0; row < samples_; row += block) {
        tasks.push_back({index, row, std::min(block, samples_ - row)});
      }
    }
    return tasks;
  }

  void run_sample_task(const Unit& unit, SplitUnit& split, const SampleTask& task, Worker& worker) {
    StageTimes times;
    const std::size_t length = unit.piece_ids.size();
    const SampleBlock block = {
        diffusion::sentence_key(options_.seed, unit.text), 1, length, task.first_row,
        std::span(split.tags).subspan(task.first_row * length, task.rows * length)};
    worker.sampler.sample(split.projected, {&block, 1}, worker.workspace, times);
    totals_.add(times);
  }

  const Model::Impl& parts_;
  const ExtractorOptions options_;
  const Model::Impl::Networks& networks_;
  const std::size_t samples_;
  diffusion::Sampler sampler_;
  const text::Sentence implied_;  // the model's implied words
  base::ThreadPool pool_;
  std::vector<Worker> workers_;
  StageTotals totals_;
};

Pipeline::Pipeline(const Model::Impl& model, const ExtractorOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {}
Pipeline::~Pipeline() = default;

std::vector<Unit> Pipeline::make_units(std::span<const std::string_view> sentences) {
  return impl_->make_units(sentences);
}

void Pipeline::run(std::span<const Unit> units, const LastStage& last_stage) {
  impl_->run(units, last_stage);
}

StageTimes Pipeline::stage_times() const { return impl_->stage_times(); }

}  // namespace diffie::engine
