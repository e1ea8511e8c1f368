// Anchored decoding: the triples of a sentence with their weights, from few rows. First it is
// decided which word is in the relation, then the relation, the subject, the object; each question
// is a row in which what is decided stands and everything else is masked (docs/diffusion.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/diffusion_config.h"
#include "diffusion/predictor.h"

namespace diffie::diffusion {

// What a row says, as the time index that the model was trained with. T is 16.
namespace stage {
inline constexpr std::int32_t kNothing = 16;
inline constexpr std::int32_t kOneOfRelation = 15;
inline constexpr std::int32_t kTwoOfRelation = 7;
inline constexpr std::int32_t kRelation = 12;
inline constexpr std::int32_t kOneOfSubject = 11;  // and the relation
inline constexpr std::int32_t kSubject = 10;       // and the relation
inline constexpr std::int32_t kOneOfObject = 9;    // and relation and subject
inline constexpr std::int32_t kObject = 8;         // and the relation, not the subject
inline constexpr std::int32_t kRandomLast = 6;     // 1 to 6: random places, kept with 1 - t/7
inline constexpr std::int32_t kLast = 16;
}  // namespace stage

// Weights are parts of this many: a pool of them is like one of so many samples.
inline constexpr std::uint32_t kWeightUnit = 1U << 20;

struct AnchoredSentence {
  std::span<const std::uint32_t> piece_counts;  // per word, none 0; implied words last
  std::size_t num_implied = 0;                  // these are relation or background
};

struct WeightedTags {
  std::string tags;          // one of B, S, R, O per word
  std::uint32_t weight = 0;  // of kWeightUnit, at least 1
};

// Immutable and shared between threads.
class AnchoredDecoder {
 public:
  // Of the settings: theta, branch, refine. Throws kInvalidArgument for another kernel.
  AnchoredDecoder(const DiffusionConfig& diffusion, const Settings& settings);

  // Per sentence its distinct tag sequences, each with subject, relation and object, by falling
  // weight, then by string; the weights of a sentence sum to kWeightUnit at most. Asks the
  // predictor about the rows of all sentences at once, block i being sentence i (no row: an empty
  // block); what a sentence gets does not depend on its company. No random numbers.
  std::vector<std::vector<WeightedTags>> decode(std::span<const AnchoredSentence> sentences,
                                                Predictor& predictor, Prediction& prediction) const;

 private:
  double theta_;
  std::size_t branch_;
  bool refine_;
};

}  // namespace diffie::diffusion
