#include "diffie/extractor.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "diffusion/sampler.h"
#include "engine/denoiser_predictor.h"
#include "engine/model_impl.h"
#include "engine/options.h"
#include "engine/quote.h"
#include "engine/thread_pool.h"
#include "engine/unit.h"
#include "extract/selector.h"
#include "text/lowercase.h"
#include "text/sentence.h"

namespace diffie {
namespace {

// Tokens of one encoder call: enough rows to keep the weights' way from memory worth it.
constexpr std::size_t kEncoderTokens = 512;
// Tokens of one denoiser call: activations of a block stay in the second-level cache.
constexpr std::size_t kDenoiserTokens = 2048;
// What is held at a time, units and tags of their samples; bounds memory for any number of
// sentences.
constexpr std::size_t kUnitsPerWave = 256;
constexpr std::size_t kTagsPerWave = std::size_t{64} << 20;

extract::ConstructionRule rule_from_name(const std::string& name) {
  if (name == "longest") return extract::ConstructionRule::kLongest;
  if (name == "relation-runs") return extract::ConstructionRule::kRelationRuns;
  return extract::ConstructionRule::kAllRuns;  // validate() has refused all other names
}

extract::SelectorOptions selector_options(const ExtractorOptions& options,
                                          const Model::Impl& parts) {
  const io::PresetConfig& preset = parts.config.presets.at(options.preset);
  extract::SelectorOptions out;
  out.name = *options.selector;
  out.top_k = static_cast<std::size_t>(*options.top_k);
  out.tau = *options.tau;
  out.power = preset.power;
  out.wording = preset.wording;
  out.min_confidence = *options.min_confidence;
  out.ranker = parts.ranker;
  return out;
}

diffusion::SamplerOptions sampler_options(const ExtractorOptions& options,
                                          const io::ModelConfig& config) {
  diffusion::SamplerOptions out;
  out.steps = *options.steps;
  out.temperature = *options.temperature;
  out.remask = config.presets.at(options.preset).remask;
  return out;
}

// A unit on its way through the stages.
struct UnitState {
  engine::Unit unit;
  std::vector<float> projected;    // [pieces, denoiser hidden]
  std::vector<std::uint8_t> tags;  // [samples, pieces]
};

struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Consecutive units whose encoder tokens together stay near kEncoderTokens.
std::vector<IndexRange> group_for_encoder(const std::vector<UnitState>& wave) {
  std::vector<IndexRange> groups;
  std::size_t tokens = kEncoderTokens;
  for (std::size_t index = 0; index < wave.size(); ++index) {
    const std::size_t length = wave[index].unit.piece_ids.size() + 2;
    if (tokens + length > kEncoderTokens) {
      groups.push_back({index, index});
      tokens = 0;
    }
    groups.back().end = index + 1;
    tokens += length;
  }
  return groups;
}

struct SampleTask {
  std::size_t unit = 0;
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
        selector_(extract::make_selector(selector_options(options_, parts_))),
        rule_(rule_from_name(*options_.rule)),
        pool_(static_cast<std::size_t>(options_.threads)),
        workspaces_(pool_.size()) {}

  const ExtractorOptions& options() const { return options_; }

  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences) {
    std::vector<SentenceResult> results(sentences.size());
    run(sentences, [&](std::span<const UnitState> wave) {
      std::vector<std::vector<Extraction>> found(wave.size());
      pool_.parallel_for(wave.size(), [&](std::size_t, std::size_t index) {
        found[index] = select(wave[index], sentences[wave[index].unit.sentence]);
      });
      for (std::size_t index = 0; index < wave.size(); ++index) {
        merge(std::move(found[index]), results[wave[index].unit.sentence].extractions);
      }
    });
    return results;
  }

  std::vector<TagPool> sample_tags(std::span<const std::string_view> sentences) {
    std::vector<TagPool> pools(sentences.size());
    for (std::size_t index = 0; index < sentences.size(); ++index) {
      pools[index].sentence = sentences[index];
    }
    run(sentences, [&](std::span<const UnitState> wave) {
      std::vector<std::vector<TagCount>> found(wave.size());
      pool_.parallel_for(wave.size(), [&](std::size_t, std::size_t index) {
        found[index] = count_tags(wave[index]);
      });
      for (std::size_t index = 0; index < wave.size(); ++index) {
        TagPool& pool = pools[wave[index].unit.sentence];
        // A second unit: no tag sequence spans the sentence.
        pool.tags = pool.words.empty() ? std::move(found[index]) : std::vector<TagCount>{};
        for (const Span& word : wave[index].unit.word_bytes) {
          pool.words.push_back(pool.sentence.substr(word.begin, word.end - word.begin));
        }
      }
    });
    return pools;
  }

 private:
  using LastStage = std::function<void(std::span<const UnitState> wave)>;

  // Takes the sentences' units, in order, through encoder and sampler and hands them on in waves.
  void run(std::span<const std::string_view> sentences, const LastStage& last_stage) {
    std::vector<std::vector<engine::Unit>> units(sentences.size());
    pool_.parallel_for(sentences.size(), [&](std::size_t, std::size_t index) {
      units[index] = tokenize(index, sentences[index]);
    });
    std::vector<UnitState> wave;
    std::size_t tags = 0;
    for (std::vector<engine::Unit>& sentence_units : units) {
      for (engine::Unit& unit : sentence_units) {
        tags += unit.piece_ids.size() * static_cast<std::size_t>(*options_.samples);
        wave.push_back({std::move(unit), {}, {}});
        if (wave.size() < kUnitsPerWave && tags < kTagsPerWave) continue;
        run_wave(wave, last_stage);
        tags = 0;
      }
    }
    run_wave(wave, last_stage);
  }

  std::vector<engine::Unit> tokenize(std::size_t index, std::string_view text) const {
    const auto mode = options_.pretokenized ? text::WordMode::kPretokenized : text::WordMode::kRaw;
    const auto max_pieces = static_cast<std::size_t>(parts_.config.encoder.max_positions) - 2;
    return engine::make_units(index, text, text::tokenize_sentence(parts_.tokenizer, text, mode),
                              max_pieces);
  }

  // Encodes, samples and hands on, stage after stage, each in parallel; empties the wave.
  void run_wave(std::vector<UnitState>& wave, const LastStage& last_stage) {
    const std::vector<IndexRange> groups = group_for_encoder(wave);
    pool_.parallel_for(groups.size(), [&](std::size_t worker, std::size_t index) {
      encode(std::span(wave).subspan(groups[index].begin, groups[index].end - groups[index].begin),
             workspaces_[worker]);
    });
    const std::vector<SampleTask> tasks = make_sample_tasks(wave);
    pool_.parallel_for(tasks.size(), [&](std::size_t worker, std::size_t index) {
      sample(wave[tasks[index].unit], tasks[index], workspaces_[worker]);
    });
    last_stage(wave);
    wave.clear();
  }

  void encode(std::span<UnitState> group, model::Workspace& workspace) const {
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> offsets = {0};
    for (const UnitState& state : group) {
      ids.push_back(parts_.tokenizer.cls_id());
      ids.insert(ids.end(), state.unit.piece_ids.begin(), state.unit.piece_ids.end());
      ids.push_back(parts_.tokenizer.sep_id());
      offsets.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    const auto hidden = static_cast<std::size_t>(parts_.config.encoder.hidden);
    std::vector<float> context(ids.size() * hidden);
    parts_.encoder.forward(ids, offsets, context, workspace);
    for (std::size_t index = 0; index < group.size(); ++index) {
      UnitState& state = group[index];
      const std::size_t pieces = state.unit.piece_ids.size();
      state.projected.resize(pieces * static_cast<std::size_t>(parts_.denoiser.hidden()));
      const std::size_t first = (offsets[index] + 1) * hidden;  // after [CLS]
      parts_.denoiser.project_context(std::span(context).subspan(first, pieces * hidden), pieces,
                                      state.projected, workspace);
    }
  }

  // Trajectories are independent, so a block of them is a task of its own through all steps.
  std::vector<SampleTask> make_sample_tasks(std::vector<UnitState>& wave) const {
    const auto samples = static_cast<std::size_t>(*options_.samples);
    std::vector<SampleTask> tasks;
    for (std::size_t index = 0; index < wave.size(); ++index) {
      const std::size_t length = wave[index].unit.piece_ids.size();
      wave[index].tags.resize(samples * length);
      const std::size_t block = std::max<std::size_t>(1, kDenoiserTokens / length);
      for (std::size_t row = 0; row < samples; row += block) {
        tasks.push_back({index, row, std::min(block, samples - row)});
      }
    }
    return tasks;
  }

  void sample(UnitState& state, const SampleTask& task, model::Workspace& workspace) const {
    const std::size_t length = state.unit.piece_ids.size();
    engine::DenoiserPredictor predictor(parts_.denoiser, state.projected, workspace);
    sampler_.sample(predictor, diffusion::sentence_key(options_.seed, state.unit.text),
                    task.first_row, task.rows, length,
                    std::span(state.tags).subspan(task.first_row * length, task.rows * length));
  }

  std::vector<Extraction> select(const UnitState& state, std::string_view text) const {
    const engine::Unit& unit = state.unit;
    std::vector<std::string> lower_words;
    for (const Span& word : unit.word_bytes) {
      lower_words.push_back(text::lowercase(text.substr(word.begin, word.end - word.begin)));
    }
    extract::PoolBuilder builder(std::move(lower_words), rule_);
    for_each_sample(state, [&](std::span<const extract::Role> roles) { builder.add(roles); });
    std::vector<Extraction> extractions;
    for (const extract::RankedTriple& ranked : selector_->select(builder.finish())) {
      extractions.push_back(engine::quote(ranked, text, unit.word_bytes));
    }
    return extractions;
  }

  // Distinct tag sequences with their counts, by falling count.
  static std::vector<TagCount> count_tags(const UnitState& state) {
    std::map<std::string, std::uint32_t> counts;
    std::string key;
    for_each_sample(state, [&](std::span<const extract::Role> roles) {
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
  static void for_each_sample(const UnitState& state, Visit visit) {
    std::vector<extract::Role> roles(state.unit.word_bytes.size());
    const std::size_t length = state.unit.piece_ids.size();
    for (std::size_t row = 0; row * length < state.tags.size(); ++row) {
      extract::piece_roles_to_words(std::span(state.tags).subspan(row * length, length),
                                    state.unit.piece_counts, roles);
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
  std::vector<model::Workspace> workspaces_;  // one per worker
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

}  // namespace diffie
