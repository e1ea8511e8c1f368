// What was found for a passage, as candidates or as counted tags: one tag per word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diffusion/anchored_decoder.h"
#include "engine/passage.h"
#include "extract/selector.h"
#include "model/backend.h"

namespace diffie::engine {

// Distinct, one of B, S, R, O per word and implied word; by falling count, then by string.
using CountedTags = std::vector<std::pair<std::string, std::uint32_t>>;

// Samples are piece tags [samples, pieces].
void add_tags(const Passage& passage, std::span<const std::uint8_t> samples,
              extract::CandidateSetBuilder& builder);
CountedTags count_tags(const Passage& passage, std::span<const std::uint8_t> samples);
// The first sample with these tags; past the last: none.
std::size_t first_sample(const Passage& passage, std::span<const std::uint8_t> samples,
                         std::string_view tags);

// The same of samples whose equal ones are counted already.
void add_tags(const Passage& passage, const model::DrawnRows& samples,
              extract::CandidateSetBuilder& builder);
CountedTags count_tags(const Passage& passage, const model::DrawnRows& samples);

// What the weights lack to kWeightUnit counts as background only: samples without a triple.
void add_tags(const Passage& passage, std::span<const diffusion::WeightedTags> weighted,
              extract::CandidateSetBuilder& builder);
CountedTags count_tags(const Passage& passage, std::span<const diffusion::WeightedTags> weighted);

}  // namespace diffie::engine
