// How an evaluation is shown: a table for people, JSON for programs, the model's own record.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "diffie/lab/evaluation.h"

namespace diffie::cli {

inline constexpr std::array<DevPart, 3> kDevParts = {DevPart::kAll, DevPart::kTuning,
                                                     DevPart::kHeldOut};

// A preset's triples: its own list, or everything it finds.
struct EvaluatedList {
  std::array<Quality, 3> parts;  // as kDevParts
};

struct EvaluatedPreset {
  std::string name;
  std::int32_t samples = 0;
  std::int32_t steps = 0;
  double sentences_per_s = 0;
  double min_confidence = 0;  // of its own list
  EvaluatedList own;
  std::optional<EvaluatedList> everything;  // where asked for
  std::optional<BenchieFigures> benchie;    // where its data is there
  Quality check;  // of the first sentences, what the test of the model repeats
};

struct Evaluation {
  std::string model;
  std::int32_t threads = 0;
  std::string kernels;
  std::vector<EvaluatedPreset> presets;
};

std::string eval_table(const Evaluation& evaluation);
std::string eval_json(const Evaluation& evaluation);

// measured.json of a model directory (docs/model-file.md).
std::string measured_json(const Evaluation& evaluation);

}  // namespace diffie::cli
