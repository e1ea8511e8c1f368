#include "diffie/extractor.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "engine/model_impl.h"
#include "engine/options.h"
#include "engine/pipeline.h"
#include "engine/quote.h"
#include "extract/selector.h"
#include "text/lowercase.h"

namespace diffie {
namespace {

extract::ConstructionRule rule_from_name(const std::string& name) {
  if (name == "longest") return extract::ConstructionRule::kLongest;
  if (name == "relation-runs") return extract::ConstructionRule::kRelationRuns;
  return extract::ConstructionRule::kAllRuns;  // validate() has refused all other names
}

extract::SelectorOptions selector_options(const ExtractorOptions& options,
                                          const Model::Impl& parts) {
  const model_dir::PresetConfig& preset = parts.config.presets.at(options.preset);
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

}  // namespace

class Extractor::Impl {
 public:
  Impl(std::shared_ptr<const Model> model, ExtractorOptions options)
      : model_(std::move(model)),
        parts_(model_->impl()),
        options_(engine::resolve_options(std::move(options), parts_.config)),
        selector_(extract::make_selector(selector_options(options_, parts_))),
        rule_(rule_from_name(*options_.rule)),
        pipeline_(parts_, options_) {}

  const ExtractorOptions& options() const { return options_; }
  StageTimes stage_times() const { return pipeline_.stage_times(); }

  std::vector<SentenceResult> extract(std::span<const std::string_view> sentences) {
    const std::vector<engine::Unit> units = pipeline_.make_units(sentences);
    std::vector<std::vector<Extraction>> found(units.size());
    pipeline_.run(units, [&](const engine::SampledUnit& sampled) {
      found[sampled.index] = select(sampled, sentences[sampled.unit.sentence]);
    });
    std::vector<SentenceResult> results(sentences.size());
    for (std::size_t index = 0; index < units.size(); ++index) {
      merge(std::move(found[index]), results[units[index].sentence].extractions);
    }
    return results;
  }

  std::vector<TagPool> sample_tags(std::span<const std::string_view> sentences) {
    const std::vector<engine::Unit> units = pipeline_.make_units(sentences);
    std::vector<std::vector<TagCount>> found(units.size());
    pipeline_.run(units, [&](const engine::SampledUnit& sampled) {
      found[sampled.index] = count_tags(sampled);
    });
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
    for (TagPool& pool : pools) {
      if (pool.words.empty()) continue;
      pool.words.insert(pool.words.end(), implied().begin(), implied().end());
      pool.num_implied = implied().size();
    }
    return pools;
  }

 private:
  const std::vector<std::string>& implied() const { return parts_.config.implied_words; }

  std::vector<Extraction> select(const engine::SampledUnit& sampled, std::string_view text) const {
    const engine::Unit& unit = sampled.unit;
    std::vector<std::string> lower_words;
    for (const Span& word : unit.word_bytes) {
      lower_words.push_back(text::lowercase(text.substr(word.begin, word.end - word.begin)));
    }
    lower_words.insert(lower_words.end(), implied().begin(), implied().end());
    extract::PoolBuilder builder(std::move(lower_words), rule_, implied().size());
    for_each_sample(sampled, [&](std::span<const extract::Role> roles) { builder.add(roles); });
    std::vector<Extraction> extractions;
    for (const extract::RankedTriple& ranked : selector_->select(builder.finish())) {
      extractions.push_back(engine::quote(ranked, text, unit.word_bytes, implied()));
    }
    return extractions;
  }

  // Distinct tag sequences with their counts, by falling count.
  static std::vector<TagCount> count_tags(const engine::SampledUnit& sampled) {
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
  static void for_each_sample(const engine::SampledUnit& sampled, Visit visit) {
    std::vector<extract::Role> roles(sampled.unit.piece_counts.size());
    const std::size_t length = sampled.unit.piece_ids.size();
    for (std::size_t begin = 0; begin < sampled.tags.size(); begin += length) {
      extract::piece_roles_to_words(sampled.tags.subspan(begin, length), sampled.unit.piece_counts,
                                    roles, sampled.unit.num_implied());
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
  std::unique_ptr<extract::Selector> selector_;
  extract::ConstructionRule rule_;
  engine::Pipeline pipeline_;
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
