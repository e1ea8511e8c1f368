// How the triples of one sentence came about: what the model was asked, what it said, and what was
// made of it. For people who want to see it; extraction itself does not pass here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/export.h"
#include "diffie/extractor.h"
#include "diffie/model.h"
#include "diffie/settings.h"
#include "diffie/text.h"

namespace diffie {

// Shares are of the pool: all samples of the sentence, those without a triple counted too; for an
// anchored model, which draws none, of the whole weight.
struct Trace {
  struct Piece {
    std::string text;        // as in the vocabulary: lower-cased, "##" where it continues a word
    Span bytes;              // of the sentence; {0, 0} where it is implied
    std::uint32_t word = 0;  // rising; implied words come after those of the sentence
    bool implied = false;
  };
  // Texts as an Extraction has them.
  struct Triple {
    std::string subject;
    std::string relation;
    std::string object;
  };
  struct Step {
    // t of T, falling; of an anchored model the stage (docs/diffusion.md). 0: the end.
    std::int32_t time = 0;
    std::string state;  // a letter per piece: B, S, R, O, or _ where nothing is decided
    // What the model then says of each piece: B, S, R, O, summing to 1. None at the end.
    std::vector<std::array<float, 4>> probabilities;
  };
  struct Trajectory {
    double weight = 0;             // share of all that end in these tags
    std::string tags;              // a letter per piece, that of its word: B, S, R, O
    std::optional<Triple> triple;  // what the pool gets from it; none: nothing
    // From the beginning to the end, whose state is `tags`. With random noise: of the first sample
    // that ends in these tags. Of an anchored model: the questions on the way to them, where a
    // piece that is decided stays so; of several that lead there the one that was asked first.
    std::vector<Step> steps;
  };
  // Candidates that say nearly the same, joined as the selector `lenient` joins them (`tau`).
  struct Cluster {
    Triple triple;                     // the chosen one of them, else the most frequent
    double mass = 0;                   // share of all members together
    std::size_t members = 0;           // distinct triples
    std::optional<double> confidence;  // where the selector chose one; if several, the surest
  };

  std::string kernel;          // of the model: uniform, absorbing, anchored
  std::int32_t num_steps = 0;  // T, that it was trained with
  // Longer than the encoder takes: all that follows is of the first part of the sentence alone.
  bool is_cut = false;
  std::vector<Piece> pieces;             // none where the sentence has no words: nor anything else
  std::vector<Trajectory> trajectories;  // distinct tags, by falling weight
  std::vector<Cluster> clusters;         // by falling mass; together at most 1
  std::vector<Extraction> extractions;   // as Extractor::extract() gives them, of what is shown
};

// With the same settings, everything is in bits what Extractor::extract() works with, whatever the
// threads; one is used. Trajectories: the `max_trajectories` of most weight. Throws what the
// extractor's constructor throws, what it would say of a sentence that fails, and kCancelled soon
// after a stop is asked for. Safe to call from many threads.
DIFFIE_API Trace trace(const std::shared_ptr<const Model>& model, const Settings& settings,
                       std::string_view sentence, std::size_t max_trajectories = 8,
                       const std::stop_token& stop = {});

}  // namespace diffie
