// Where the time of extraction goes; always kept, a few clock readings per denoiser call.
#pragma once

#include <cstdint>

#include "diffie/export.h"

namespace diffie {

// Sums over everything an extractor has done since it was made. Stages are in seconds of worker
// threads: with two threads a second on the clock has two of them. What the stages leave of
// wall_s * threads is waiting, scheduling and copying ("other").
struct DIFFIE_API StageTimes {
  double tokenize_s = 0;  // text to pieces
  double encode_s = 0;    // encoder and projections of the context
  double denoise_s = 0;   // denoiser, with finding the rows that are equal
  double draw_s = 0;      // random numbers, posterior, tags
  double judge_s = 0;     // judge
  double select_s = 0;    // tags to triples, selection, quoting
  double wall_s = 0;      // inside extract(), on the clock

  std::uint64_t sentences = 0;
  std::uint64_t pieces = 0;         // of all sentences, without [CLS] and [SEP]
  std::uint64_t rows = 0;           // tag sequences through one step, as the sampler asked for
  std::uint64_t rows_computed = 0;  // of those, after equal ones are computed once
  std::uint64_t row_pieces = 0;     // pieces of the rows computed

  std::uint64_t judged = 0;  // candidates that the judge was asked about

  double encode_flop = 0;   // a multiplication and an addition are two
  double denoise_flop = 0;  // of the rows computed
  double judge_flop = 0;

  double stages_s() const {
    return tokenize_s + encode_s + denoise_s + draw_s + judge_s + select_s;
  }

  StageTimes& operator+=(const StageTimes& other);
  StageTimes& operator-=(const StageTimes& other);
  friend StageTimes operator-(StageTimes later, const StageTimes& earlier) {
    return later -= earlier;
  }
};

}  // namespace diffie
