// What all workers of an engine share, and none changes: a model's parts as the settings have them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/anchored_decoder.h"
#include "diffusion/sampler.h"
#include "engine/call.h"
#include "engine/device.h"
#include "engine/model_parts.h"
#include "extract/selector.h"
#include "text/sentence.h"

namespace diffie::engine {

struct Pipeline {
  // The model must outlive it.
  Pipeline(const ModelParts& parts, Placement placement);

  const std::vector<std::string>& implied_words() const { return model.config.implied_words; }

  // The pool of a passage of the text, still empty.
  extract::CandidateSetBuilder make_builder(const Passage& passage, std::string_view text) const;

  // What is said of the triples that were chosen for a passage of the text. `words` as in its pool.
  std::vector<Group> quote_all(const Passage& passage,
                               std::span<const extract::RankedTriple> chosen,
                               std::span<const std::string> words, std::string_view text) const;

  const ModelParts& model;
  const Settings settings;
  const model::Backend& backend;
  // One of the two, by the model's kernel.
  const std::optional<diffusion::Sampler> sampler;
  const std::optional<diffusion::AnchoredDecoder> decoder;
  const std::unique_ptr<const extract::Selector> selector;
  const text::Sentence implied;  // the model's implied words, tokenized
};

}  // namespace diffie::engine
