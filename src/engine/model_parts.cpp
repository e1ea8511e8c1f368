#include "engine/model_parts.h"

#include <fmt/format.h>

#include "diffie/error.h"

namespace diffie::engine {

ModelParts::ModelParts(const model_dir::ModelDir& dir)
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

const ModelParts::Networks& ModelParts::networks(Precision precision) const {
  const auto index = static_cast<std::size_t>(precision);
  std::call_once(made_[index], [&] {
    auto networks = std::unique_ptr<Networks>(new Networks{
        model::BertEncoder(dir_, precision), model::Denoiser(dir_, precision), std::nullopt});
    if (config.judge) networks->judge.emplace(dir_, precision);
    networks_[index] = std::move(networks);
  });
  return *networks_[index];
}

}  // namespace diffie::engine
