#include "engine/model_parts.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "engine/device.h"

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

const model::Backend& ModelParts::backend(Precision precision, Device device) const {
  const auto index = 2 * static_cast<std::size_t>(precision) + static_cast<std::size_t>(device);
  std::call_once(made_[index], [&] { backends_[index] = make_backend(dir_, device, precision); });
  return *backends_[index];
}

}  // namespace diffie::engine
