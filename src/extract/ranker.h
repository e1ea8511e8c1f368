// A trained ranker: how a fact is worded, and how likely it is to be right.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/fact_walk.h"
#include "extract/features.h"
#include "extract/tree_ensemble.h"

namespace diffie::extract {

// Score -> probability: straight lines between knots, constant outside them.
class Calibration {
 public:
  struct Knot {
    double score = 0;
    double probability = 0;
  };

  Calibration() = default;
  // Scores rise strictly, probabilities do not fall and lie in [0, 1]; at least one knot.
  explicit Calibration(std::vector<Knot> knots) : knots_(std::move(knots)) {}

  const std::vector<Knot>& knots() const { return knots_; }
  double operator()(double score) const;

 private:
  std::vector<Knot> knots_;
};

struct Ranker {
  TreeEnsemble wording;  // the wording with the largest value is shown
  TreeEnsemble worth;    // what the shown triple adds to the result
  Calibration calibration;
  std::int32_t schema = 1;      // number, of the features that the trees read
  Walk walk = Walk::kCoverage;  // that finds the facts

  std::vector<double> confidences(std::span<const float* const> rows) const;
};

// ranker.json, read as hostile: every size and range is checked, features must be those of its
// schema in their order. Throws kCorruptModel, kUnsupported (newer version, another schema),
// kNotFound.
Ranker parse_ranker(std::string_view json, std::string_view where);
Ranker read_ranker(const std::filesystem::path& path);
std::string to_json(const Ranker& ranker);

// "coverage", "judged" and back; an unknown name is nullopt.
std::string_view name_of(Walk walk);
std::optional<Walk> walk_from_name(std::string_view name);

}  // namespace diffie::extract
