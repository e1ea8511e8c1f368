#include "engine/pipeline.h"

#include <fmt/format.h>

#include <utility>

#include "engine/quote.h"
#include "reshape/reshape.h"
#include "text/lowercase.h"

namespace diffie::engine {
namespace {

bool is_anchored(const ModelParts& model) {
  return model.config.diffusion.kernel == diffusion::KernelKind::kAnchored;
}

std::optional<diffusion::Sampler> make_sampler(const ModelParts& model, const Settings& settings) {
  if (is_anchored(model)) return std::nullopt;
  return diffusion::Sampler(model.config.diffusion, settings);
}

std::optional<diffusion::AnchoredDecoder> make_decoder(const ModelParts& model,
                                                       const Settings& settings) {
  if (!is_anchored(model)) return std::nullopt;
  return diffusion::AnchoredDecoder(model.config.diffusion, settings);
}

}  // namespace

Pipeline::Pipeline(const ModelParts& parts, Placement placement)
    : model(parts),
      settings(std::move(placement.settings)),
      backend(*placement.backend),
      sampler(make_sampler(model, settings)),
      decoder(make_decoder(model, settings)),
      selector(extract::make_selector(settings, model.ranker)),
      implied(text::tokenize_sentence(model.tokenizer,
                                      fmt::format("{}", fmt::join(implied_words(), " ")),
                                      text::WordMode::kPretokenized)) {}

extract::CandidateSetBuilder Pipeline::make_builder(const Passage& passage,
                                                    std::string_view text) const {
  std::vector<std::string> lower_words;
  lower_words.reserve(passage.piece_counts.size());
  for (const Span& word : passage.word_bytes) {
    lower_words.push_back(text::lowercase(text.substr(word.begin, word.end - word.begin)));
  }
  lower_words.insert(lower_words.end(), implied_words().begin(), implied_words().end());
  return {std::move(lower_words), extract::PoolRules(settings), implied_words().size()};
}

std::vector<Group> Pipeline::quote_all(const Passage& passage,
                                       std::span<const extract::RankedTriple> chosen,
                                       std::span<const std::string> words,
                                       std::string_view text) const {
  std::vector<Group> groups;
  std::optional<std::size_t> origin;  // of the last group
  for (reshape::Statement& each :
       reshape::reshape(chosen, text, passage.word_bytes, words, settings)) {
    if (origin != each.origin) groups.emplace_back();
    origin = each.origin;
    Extraction& extraction =
        groups.back().emplace_back(quote(each.ranked, text, passage.word_bytes, implied_words()));
    extraction.factuality = std::move(each.factuality);
    extraction.circumstances = std::move(each.circumstances);
  }
  return groups;
}

}  // namespace diffie::engine
