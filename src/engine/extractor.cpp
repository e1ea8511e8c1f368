#include "diffie/extractor.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "diffusion/sampler.h"
#include "engine/batch_sampler.h"
#include "engine/model_impl.h"
#include "engine/options.h"
#include "engine/quote.h"
#include "engine/stage_clock.h"
#include "engine/thread_pool.h"
#include "engine/unit.h"
#include "engine/work_plan.h"
#include "extract/selector.h"
#include "text/lowercase.h"
#include "text/sentence.h"

namespace diffie {
namespace {

constexpr std::size_t kSentencesPerTask = 32;  // when they are tokenized
// What is held at a time of the units that are split, and of the tags of their samples; bounds
// memory for any number of sentences.
constexpr std::size_t kUnitsPerWave = 256;
constexpr std::size_t kTagsPerWave = std::size_t{64} << 20;

extract::ConstructionRule rule_from_name(const std::string& name) {
  if (name == "longest") return extract::ConstructionRule::kLongest;
  if (name == "relation-runs") return extract::ConstructionRule::kRelationRuns;
  return extract::ConstructionRule::kAllRuns;  // validate() has refused all other names
}

extract::SelectorOptions selector_options(const ExtractorOptions& options,
                                          const io::ModelConfig& config) {
  const io::PresetConfig& preset = config.presets.at(options.preset);
  extract::SelectorOptions out;
  out.name = *options.selector;
  out.top_k = static_cast<std::size_t>(*options.top_k);
  out.tau = *options.tau;
  out.power = preset.power;
  out.wording = preset.wording;
  out.min_confidence = *options.min_confidence;
  return out;
}

diffusion::SamplerOptions sampler_options(const ExtractorOptions& options,
                                          const io::ModelConfig& config) {
  diffusion::SamplerOptions out;
  const io::PresetConfig& preset = config.presets.at(options.preset);
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
  explicit Worker(engine::BatchSampler batch_sampler) : sampler(std::move(batch_sampler)) {}

  engine::BatchSampler sampler;
  model::Workspace workspace;
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets;
  std::vector<float> context;    // [tokens, encoder hidden]
  std::vector<float> projected;  // [tokens, denoiser hidden]
  std::vector<std::uint8_t> tags;
  std::vector<engine::SampleBlock> blocks;
};

// A unit whose trajectories are spread over several tasks.
struct SplitUnit {
  std::size_t unit = 0;            // index into the call's units
  std::vector<float> projected;    // [pieces + 2, denoiser hidden]
  std::vector<std::uint8_t> tags;  // [samples, pieces]
};

struct SampleTask {
  std::size_t split = 0;  // index into the wave's split units
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

}  // namespace

class Extractor::Impl {
 public:
  Impl(std::shared_ptr<const Model> model, ExtractorOptions options)
      : model_(std::move(model)),
        parts_(model_->impl()),
        options_(engine::resolve_options(std::move(options), parts_.config)),
        sampler_(parts_.config.diffusion, sampler_options(options_, parts_.config)),
        selector_(extract::make_selector(selector_options(options_, parts_.config))),
        rule_(rule_from_name(*options_.rule)),
        pool_(static_cast<std::size_t>(options_.threads)) {
    for (std::size_t worker = 0; worker < pool_.size(); ++worker) {
      workers_.emplace_back(engine::BatchSampler(parts_.denoiser, parts_.config, sampler_));
    }
  }

  const ExtractorOptions& options() const { return options_; }
  StageTimes stage_times() const { return totals_.total(); }

  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences) {
    std::vector<std::vector<Extraction>> found;
    const std::vector<engine::Unit> units = run(
        sentences,
        [&](const Sampled& sampled) {
          found[sampled.index] = select(sampled, sentences[sampled.unit.sentence]);
        },
        [&](std::size_t num_units) { found.resize(num_units); });
    std::vector<SentenceResult> results(sentences.size());
    for (std::size_t index = 0; index < units.size(); ++index) {
      merge(std::move(found[index]), results[units[index].sentence].extractions);
    }
    return results;
  }

  std::vector<TagPool> sample_tags(std::span<const std::string_view> sentences) {
    std::vector<std::vector<TagCount>> found;
    const std::vector<engine::Unit> units = run(
        sentences, [&](const Sampled& sampled) { found[sampled.index] = count_tags(sampled); },
        [&](std::size_t num_units) { found.resize(num_units); });
    std::vector<TagPool> pools(sentences.size());
    for (std::size_t index = 0; index < sentences.size(); ++index) {
      pools[index].sentence = sentences[index];
    }
    for (std::size_t index = 0; index < units.size(); ++index) {
      TagPool& pool = pools[units[index].sentence];
      // A second unit: no tag sequence spans the sentence.
      pool.tags = pool.words.empty() ? std::move(found[index]) : std::vector<TagCount>{};
      for (const Span& word : units[index].word_bytes) {
        pool.words.push_back(pool.sentence.substr(word.begin, word.end - word.begin));
      }
    }
    return pools;
  }

 private:
  // A unit with the tags of its samples, as the last stage sees it.
  struct Sampled {
    std::size_t index;  // of the unit in the call
    const engine::Unit& unit;
    std::span<const std::uint8_t> tags;  // [samples, pieces]
  };
  using LastStage = std::function<void(const Sampled&)>;

  // Takes the units of all sentences through encoder and sampler and hands each on to last_stage,
  // in any order and from all workers. Returns the units in the sentences' order.
  std::vector<engine::Unit> run(std::span<const std::string_view> sentences,
                                const LastStage& last_stage,
                                const std::function<void(std::size_t)>& announce) {
    StageTimes times;
    std::vector<engine::Unit> units;
    {
      const engine::StageClock clock(times.wall_s);
      units = make_units(sentences);
      announce(units.size());
      std::vector<std::size_t> pieces;
      for (const engine::Unit& unit : units) pieces.push_back(unit.piece_ids.size());
      const auto rows = static_cast<std::size_t>(*options_.samples);
      const auto steps = static_cast<std::size_t>(*options_.steps);
      const engine::WorkPlan plan = engine::plan_work(pieces, rows * steps, pool_.size(), true);
      run_split_units(units, plan, last_stage);
      pool_.parallel_for(plan.groups.size(), [&](std::size_t worker, std::size_t index) {
        run_group(units, plan.groups[index], workers_[worker], last_stage);
      });
    }
    times.sentences = sentences.size();
    totals_.add(times);
    return units;
  }

  std::vector<engine::Unit> make_units(std::span<const std::string_view> sentences) {
    std::vector<std::vector<engine::Unit>> by_sentence(sentences.size());
    const std::size_t tasks = (sentences.size() + kSentencesPerTask - 1) / kSentencesPerTask;
    pool_.parallel_for(tasks, [&](std::size_t, std::size_t task) {
      StageTimes times;
      {
        const engine::StageClock clock(times.tokenize_s);
        const std::size_t begin = task * kSentencesPerTask;
        const std::size_t end = std::min(begin + kSentencesPerTask, sentences.size());
        for (std::size_t index = begin; index < end; ++index) {
          by_sentence[index] = tokenize(index, sentences[index]);
          for (const auto& unit : by_sentence[index]) times.pieces += unit.piece_ids.size();
        }
      }
      totals_.add(times);
    });
    std::vector<engine::Unit> units;
    for (auto& of_sentence : by_sentence) {
      std::move(of_sentence.begin(), of_sentence.end(), std::back_inserter(units));
    }
    return units;
  }

  std::vector<engine::Unit> tokenize(std::size_t index, std::string_view text) const {
    const auto mode = options_.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
    const auto max_pieces = static_cast<std::size_t>(parts_.config.encoder.max_positions) - 2;
    return engine::make_units(index, text, text::tokenize_sentence(parts_.tokenizer, text, mode),
                              max_pieces);
  }

  // All stages of a few units in one task: no unit waits for another one's.
  void run_group(std::span<const engine::Unit> units, const engine::UnitGroup& group,
                 Worker& worker, const LastStage& last_stage) {
    StageTimes times;
    encode(units, group, worker, times);
    const auto samples = static_cast<std::size_t>(*options_.samples);
    std::size_t pieces = 0;
    for (const std::size_t index : group) pieces += units[index].piece_ids.size();
    worker.tags.resize(pieces * samples);
    worker.blocks.clear();
    std::span<std::uint8_t> rest = worker.tags;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const engine::Unit& unit = units[group[i]];
      const std::size_t length = unit.piece_ids.size();
      worker.blocks.push_back({diffusion::sentence_key(options_.seed, unit.text),
                               worker.offsets[i] + 1, length, 0, rest.first(samples * length)});
      rest = rest.subspan(samples * length);
    }
    worker.sampler.sample(worker.projected, worker.blocks, worker.workspace, times);
    {
      const engine::StageClock clock(times.select_s);
      for (std::size_t i = 0; i < group.size(); ++i) {
        last_stage({group[i], units[group[i]], worker.blocks[i].tags});
      }
    }
    totals_.add(times);
  }

  // Fills the worker's offsets and its projected context: unit i of the group begins, after its
  // [CLS], at token offsets[i] + 1.
  void encode(std::span<const engine::Unit> units, std::span<const std::size_t> group,
              Worker& worker, StageTimes& times) const {
    const engine::StageClock clock(times.encode_s);
    worker.ids.clear();
    worker.offsets.assign(1, 0);
    for (const std::size_t index : group) {
      const engine::Unit& unit = units[index];
      worker.ids.push_back(parts_.tokenizer.cls_id());
      worker.ids.insert(worker.ids.end(), unit.piece_ids.begin(), unit.piece_ids.end());
      worker.ids.push_back(parts_.tokenizer.sep_id());
      worker.offsets.push_back(static_cast<std::uint32_t>(worker.ids.size()));
      times.encode_flop += engine::encoder_flop(parts_.config, unit.piece_ids.size());
    }
    const std::size_t tokens = worker.ids.size();
    worker.context.resize(tokens * static_cast<std::size_t>(parts_.config.encoder.hidden));
    parts_.encoder.forward(worker.ids, worker.offsets, worker.context, worker.workspace);
    worker.projected.resize(tokens * static_cast<std::size_t>(parts_.denoiser.hidden()));
    parts_.denoiser.project_context(worker.context, tokens, worker.projected, worker.workspace);
  }

  // Units with more work than a task should have, in waves that bound the memory for their tags:
  // encoded, sampled and handed on, stage after stage.
  void run_split_units(std::span<const engine::Unit> units, const engine::WorkPlan& plan,
                       const LastStage& last_stage) {
    std::vector<SplitUnit> wave;
    std::size_t tags = 0;
    for (std::size_t i = 0; i < plan.alone.size(); ++i) {
      wave.push_back({plan.alone[i], {}, {}});
      tags += units[plan.alone[i]].piece_ids.size() * static_cast<std::size_t>(*options_.samples);
      if (i + 1 < plan.alone.size() && wave.size() < kUnitsPerWave && tags < kTagsPerWave) continue;
      run_split_wave(units, wave, plan.pieces_per_task, last_stage);
      wave.clear();
      tags = 0;
    }
  }

  void run_split_wave(std::span<const engine::Unit> units, std::span<SplitUnit> wave,
                      std::size_t pieces_per_task, const LastStage& last_stage) {
    pool_.parallel_for(wave.size(), [&](std::size_t worker, std::size_t index) {
      StageTimes times;
      encode(units, {&wave[index].unit, 1}, workers_[worker], times);
      wave[index].projected = workers_[worker].projected;
      totals_.add(times);
    });
    const std::vector<SampleTask> tasks = make_sample_tasks(units, wave, pieces_per_task);
    pool_.parallel_for(tasks.size(), [&](std::size_t worker, std::size_t index) {
      SplitUnit& split = wave[tasks[index].split];
      run_sample_task(units[split.unit], split, tasks[index], workers_[worker]);
    });
    pool_.parallel_for(wave.size(), [&](std::size_t, std::size_t index) {
      StageTimes times;
      {
        const engine::StageClock clock(times.select_s);
        last_stage({wave[index].unit, units[wave[index].unit], wave[index].tags});
      }
      totals_.add(times);
    });
  }

  // Trajectories are independent, so a block of them is a task of its own through all steps.
  std::vector<SampleTask> make_sample_tasks(std::span<const engine::Unit> units,
                                            std::span<SplitUnit> wave,
                                            std::size_t pieces_per_task) const {
    const auto samples = static_cast<std::size_t>(*options_.samples);
    const auto steps = static_cast<std::size_t>(*options_.steps);
    std::vector<SampleTask> tasks;
    for (std::size_t index = 0; index < wave.size(); ++index) {
      const std::size_t length = units[wave[index].unit].piece_ids.size();
      wave[index].tags.resize(samples * length);
      const std::size_t block = std::max<std::size_t>(1, pieces_per_task / (length * steps));
      for (std::size_t row = 0; row < samples; row += block) {
        tasks.push_back({index, row, std::min(block, samples - row)});
      }
    }
    return tasks;
  }

  void run_sample_task(const engine::Unit& unit, SplitUnit& split, const SampleTask& task,
                       Worker& worker) {
    StageTimes times;
    const std::size_t length = unit.piece_ids.size();
    const engine::SampleBlock block = {
        diffusion::sentence_key(options_.seed, unit.text), 1, length, task.first_row,
        std::span(split.tags).subspan(task.first_row * length, task.rows * length)};
    worker.sampler.sample(split.projected, {&block, 1}, worker.workspace, times);
    totals_.add(times);
  }

  std::vector<Extraction> select(const Sampled& sampled, std::string_view text) const {
    const engine::Unit& unit = sampled.unit;
    std::vector<std::string> lower_words;
    for (const Span& word : unit.word_bytes) {
      lower_words.push_back(text::lowercase(text.substr(word.begin, word.end - word.begin)));
    }
    extract::PoolBuilder builder(std::move(lower_words), rule_);
    for_each_sample(sampled, [&](std::span<const extract::Role> roles) { builder.add(roles); });
    std::vector<Extraction> extractions;
    for (const extract::RankedTriple& ranked : selector_->select(builder.finish())) {
      extractions.push_back(engine::quote(ranked, text, unit.word_bytes));
    }
    return extractions;
  }

  // Distinct tag sequences with their counts, by falling count.
  static std::vector<TagCount> count_tags(const Sampled& sampled) {
    std::map<std::string, std::uint32_t> counts;
    std::string key;
    for_each_sample(sampled, [&](std::span<const extract::Role> roles) {
      key.clear();
      for (const extract::Role role : roles) key += "BSRO"[static_cast<std::size_t>(role)];
      ++counts[key];
    });
    std::vector<TagCount> tags;
    for (const auto& [sequence, count] : counts) tags.push_back({sequence, count});
    std::stable_sort(tags.begin(), tags.end(),
                     [](const TagCount& a, const TagCount& b) { return a.count > b.count; });
    return tags;
  }

  // Calls visit(roles) with one role per word for each of the unit's samples.
  template <typename Visit>
  static void for_each_sample(const Sampled& sampled, Visit visit) {
    std::vector<extract::Role> roles(sampled.unit.word_bytes.size());
    const std::size_t length = sampled.unit.piece_ids.size();
    for (std::size_t begin = 0; begin < sampled.tags.size(); begin += length) {
      extract::piece_roles_to_words(sampled.tags.subspan(begin, length), sampled.unit.piece_counts,
                                    roles);
      visit(roles);
    }
  }

  // Parts of one long sentence share its top-k.
  void merge(std::vector<Extraction> found, std::vector<Extraction>& all) const {
    if (all.empty()) {
      all = std::move(found);
      return;
    }
    std::move(found.begin(), found.end(), std::back_inserter(all));
    std::stable_sort(all.begin(), all.end(), [](const Extraction& a, const Extraction& b) {
      return a.confidence > b.confidence;
    });
    all.resize(std::min(all.size(), static_cast<std::size_t>(*options_.top_k)));
  }

  std::shared_ptr<const Model> model_;
  const Model::Impl& parts_;
  ExtractorOptions options_;
  diffusion::Sampler sampler_;
  std::unique_ptr<extract::Selector> selector_;
  extract::ConstructionRule rule_;
  engine::ThreadPool pool_;
  std::vector<Worker> workers_;
  engine::StageTotals totals_;
};

Extractor::Extractor(std::shared_ptr<const Model> model, ExtractorOptions options)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(options))) {}
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;
Extractor::~Extractor() = default;

std::vector<SentenceResult> Extractor::extract(std::span<const std::string_view> sentences) const {
  return impl_->extract(sentences);
}

SentenceResult Extractor::extract(std::string_view sentence) const {
  return std::move(impl_->extract({&sentence, 1}).front());
}

std::vector<TagPool> Extractor::sample_tags(std::span<const std::string_view> sentences) const {
  return impl_->sample_tags(sentences);
}

const ExtractorOptions& Extractor::options() const { return impl_->options(); }

StageTimes Extractor::stage_times() const { return impl_->stage_times(); }

}  // namespace diffie
