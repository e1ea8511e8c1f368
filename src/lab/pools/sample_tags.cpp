#include "diffie/lab/sample_tags.h"

#include "engine/engine.h"

namespace diffie {

struct TagSampler::Impl {
  Impl(std::shared_ptr<const Model> shared_model, const Settings& settings)
      : model(std::move(shared_model)), engine(engine::ModelParts::of(*model), settings) {}

  std::shared_ptr<const Model> model;
  engine::Engine engine;
};

TagSampler::TagSampler(std::shared_ptr<const Model> model, const Settings& settings)
    : impl_(std::make_unique<Impl>(std::move(model), settings)) {}
TagSampler::~TagSampler() = default;

std::vector<TagPool> TagSampler::sample(std::span<const std::string_view> sentences) const {
  const std::vector<std::string>& implied =
      engine::ModelParts::of(*impl_->model).config.implied_words;
  std::vector<TagPool> pools;
  for (engine::SentenceSamples& samples : impl_->engine.sample(sentences)) {
    TagPool pool;
    pool.sentence = sentences[pools.size()];
    for (const Span& word : samples.words) {
      pool.words.push_back(pool.sentence.substr(word.begin, word.end - word.begin));
    }
    if (!pool.words.empty()) {
      pool.words.insert(pool.words.end(), implied.begin(), implied.end());
      pool.num_implied = implied.size();
    }
    for (auto& [tags, count] : samples.tags) pool.tags.push_back({std::move(tags), count});
    for (std::size_t i = 0; i < samples.judgements.size(); ++i) {
      pool.tags[i].exact = samples.judgements[i].exact;
      pool.tags[i].lenient = samples.judgements[i].lenient;
    }
    pools.push_back(std::move(pool));
  }
  return pools;
}

}  // namespace diffie
