#include "train/training_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "diffie/error.h"
#include "text/white_space.h"

namespace diffie::train {

std::vector<std::string> implied_words(const TrainingSet& set) {
  const auto found = set.metadata.find("implied_words");
  if (found == set.metadata.end()) return {};
  std::vector<std::string> words;
  for (const std::string_view word : text::split_words(found->second)) words.emplace_back(word);
  return words;
}

std::vector<std::int32_t> select_instances(const TrainingSet& set, const TrainConfig& config) {
  for (const std::int32_t id : set.piece_ids) {
    if (id < 0 || id >= config.encoder.vocab_size) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("training set: piece {} lies outside the vocabulary of {}", id,
                              config.encoder.vocab_size));
    }
  }
  const std::int32_t longest = std::min(config.max_pieces, config.encoder.max_positions - 2);
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    if (sentence_length(set, set.instance_sentence[i]) > longest) continue;
    if ((set.instance_category[i] & ~config.relaxations) != 0) continue;
    const bool is_judged =
        has_judge(config) && !set.instance_judgement.empty() && set.instance_judgement[2 * i] >= 0;
    if (set.instance_weight[i] > 0 || is_judged) kept.push_back(static_cast<std::int32_t>(i));
  }
  if (kept.empty()) {
    throw Error(ErrorCode::kBadInput,
                "training set: no instance is left after the length and relaxation limits");
  }
  return kept;
}

}  // namespace diffie::train
