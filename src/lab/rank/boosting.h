// Gradient boosting of regression trees over binned features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "extract/features.h"
#include "extract/tree_ensemble.h"

namespace diffie::rank {

// Rows of features as numbers of bins, feature by feature.
class BinnedRows {
 public:
  // Of each row the first `num_features`.
  explicit BinnedRows(std::span<const extract::FeatureRow> rows,
                      std::size_t num_features = extract::kNumFeatures);

  std::size_t size() const { return num_rows_; }
  std::size_t num_features() const { return edges_.size(); }
  std::span<const std::uint8_t> column(std::size_t feature) const {
    return {bins_.data() + feature * num_rows_, num_rows_};
  }
  // Values of bin b are at most upper_edge(feature, b); the last bin has no edge.
  float upper_edge(std::size_t feature, std::size_t bin) const { return edges_[feature][bin]; }
  std::size_t num_bins(std::size_t feature) const { return edges_[feature].size() + 1; }

 private:
  std::size_t num_rows_;
  std::vector<std::vector<float>> edges_;
  std::vector<std::uint8_t> bins_;
};

struct BoostOptions {
  std::size_t trees = 150;
  std::size_t depth = 5;
  double rate = 0.08;
  std::size_t min_rows = 80;  // of a leaf
  double row_share = 0.7;     // drawn anew for each tree
  double feature_share = 0.5;
  std::uint64_t seed = 0;
};

// Fits the targets of the rows with use[row] != 0 by least squares. Deterministic: the number of
// threads does not matter.
extract::TreeEnsemble boost(const BinnedRows& rows, std::span<const float> targets,
                            std::span<const char> use, const BoostOptions& options,
                            base::Workers& threads);

}  // namespace diffie::rank
