// What happens to a passage on its way to triples, noted for a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diffie/extractor.h"
#include "diffusion/predictor.h"
#include "engine/passage.h"
#include "engine/passage_tags.h"
#include "extract/selector.h"

namespace diffie::engine {

// A row that the model was asked about, and its answer.
struct AskedRow {
  std::int32_t time = 0;
  std::size_t block = 0;
  std::vector<std::uint8_t> states;  // per piece
  std::vector<float> logits;         // [pieces, 4]
};

struct Recording {
  std::size_t max_trajectories = 0;  // that are wanted

  Passage passage;      // the sentence's first; without pieces: the sentence has no words
  bool is_cut = false;  // the sentence has more of them
  // In the order in which they were asked. Anchored decoding: all of them. Else block i has the row
  // of the first trajectory that ends in tags[i], for as many as are wanted.
  std::vector<AskedRow> rows;
  CountedTags tags;
  std::vector<std::optional<extract::Triple>> triples;  // of each of the tags
  extract::CandidateSet pool;
  std::vector<extract::RankedTriple> chosen;
  std::vector<Extraction> extractions;  // what became of them
};

// Keeps what another predictor is asked and says.
class RecordingPredictor final : public diffusion::Predictor {
 public:
  // Null: keeps nothing. Both must outlive this.
  RecordingPredictor(diffusion::Predictor& asked, Recording* recording)
      : asked_(asked), recording_(recording) {}

  void predict(std::span<const diffusion::SampleBlock> blocks, std::int32_t step,
               diffusion::Prediction& prediction) override;

 private:
  diffusion::Predictor& asked_;
  Recording* recording_;
};

}  // namespace diffie::engine
