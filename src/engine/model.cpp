#include "diffie/model.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "engine/model_impl.h"

namespace diffie {

Model::Impl::Impl(const model_dir::ModelDir& dir)
    : config(dir.config()), tokenizer(Tokenizer::from_vocab_file(dir.vocab_path())), dir_(dir) {
  const auto rows = static_cast<std::size_t>(config.encoder.vocab_size);
  if (tokenizer.vocab_size() > rows) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("{}: {} pieces, but the encoder has {} embedding rows",
                            dir.vocab_path().string(), tokenizer.vocab_size(), rows));
  }
  std::size_t implied_pieces = 0;
  for (const std::string& word : config.implied_words)
    implied_pieces += tokenizer.encode(word, false).ids.size();
  if (implied_pieces + 3 > static_cast<std::size_t>(config.encoder.max_positions)) {
    throw Error(ErrorCode::kCorruptModel,
                fmt::format("implied_words: {} pieces leave no room for a sentence of at most {}",
                            implied_pieces, config.encoder.max_positions));
  }
  const std::filesystem::path ranker_path = dir.ranker_path();
  if (!ranker_path.empty())
    ranker = std::make_shared<extract::Ranker>(extract::read_ranker(ranker_path));
}

const Model::Impl::Networks& Model::Impl::networks(model::Precision precision) const {
  const auto index = static_cast<std::size_t>(precision);
  std::call_once(made_[index], [&] {
    networks_[index].reset(
        new Networks{model::BertEncoder(dir_, precision), model::Denoiser(dir_, precision)});
  });
  return *networks_[index];
}

Model::Model(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::filesystem::path& dir) {
  return std::make_shared<const Model>(std::make_unique<const Impl>(model_dir::ModelDir::open(dir)));
}

const std::string& Model::name() const { return impl_->config.name; }
bool Model::trained() const { return impl_->config.trained; }
const std::string& Model::default_preset() const { return impl_->config.default_preset; }

std::vector<std::string> Model::preset_names() const {
  std::vector<std::string> names;
  for (const auto& [name, preset] : impl_->config.presets) names.push_back(name);
  return names;
}

}  // namespace diffie
