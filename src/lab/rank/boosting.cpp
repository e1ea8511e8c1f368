#include "lab/rank/boosting.h"

#include <algorithm>
#include <limits>

#include "diffusion/random.h"

namespace diffie::rank {
namespace {

constexpr std::size_t kMaxBins = 64;
constexpr double kLeafShrinkage = 10;  // rows' worth of zero residuals in every leaf

// Which rows and features a tree sees.
bool drawn(std::uint64_t seed, std::uint32_t tree, std::uint32_t stream, std::uint32_t index,
           double share) {
  return diffusion::to_uniform(base::philox4x32({index, tree, stream, 0x52414E4B}, seed)[0]) <
         share;
}

// Thresholds between distinct values so that bins hold about equally many rows.
std::vector<float> bin_edges(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  std::vector<float> edges;
  for (std::size_t bin = 1; bin < kMaxBins; ++bin) {
    const float low = values[bin * (values.size() - 1) / kMaxBins];
    if (low >= values.back()) break;
    if (edges.empty() || low > edges.back()) edges.push_back(low);
  }
  return edges;
}

struct Split {
  double gain = 0;
  std::size_t feature = 0;
  std::size_t bin = 0;  // bins up to this one go left
};

struct Bin {
  double sum = 0;
  std::uint32_t count = 0;
};

class Grower {
 public:
  Grower(const BinnedRows& rows, std::span<const float> targets, std::span<const char> use,
         const BoostOptions& options, base::Workers& threads)
      : rows_(rows), options_(options), threads_(threads), residuals_(targets.size()) {
    double sum = 0;
    for (std::size_t row = 0; row < use.size(); ++row) {
      if (use[row] == 0) continue;
      used_.push_back(static_cast<std::uint32_t>(row));
      sum += targets[row];
    }
    ensemble_.depth = options.depth;
    ensemble_.base = used_.empty() ? 0 : sum / static_cast<double>(used_.size());
    for (const std::uint32_t row : used_)
      residuals_[row] = targets[row] - static_cast<float>(ensemble_.base);
  }

  extract::TreeEnsemble grow() {
    for (std::size_t tree = 0; tree < options_.trees; ++tree)
      add_tree(static_cast<std::uint32_t>(tree));
    return std::move(ensemble_);
  }

 private:
  // The rows of one level, node after node.
  struct Level {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> begins;  // [node + 1]
  };

  void add_tree(std::uint32_t tree) {
    draw(tree);
    Level level;
    for (const std::uint32_t row : used_)
      if (drawn(options_.seed, tree, 0, row, options_.row_share)) level.rows.push_back(row);
    level.begins = {0, level.rows.size()};
    const std::size_t first_node = ensemble_.features.size();
    std::vector<std::uint8_t> bins;  // of this tree's splits
    for (std::size_t depth = 0; depth < options_.depth; ++depth) {
      const std::vector<Split> splits = best_splits(level);
      for (const Split& split : splits) {
        const bool splits_rows = split.gain > 0;
        ensemble_.features.push_back(static_cast<std::uint16_t>(split.feature));
        ensemble_.thresholds.push_back(splits_rows ? rows_.upper_edge(split.feature, split.bin)
                                                   : std::numeric_limits<float>::max());
        bins.push_back(splits_rows ? static_cast<std::uint8_t>(split.bin) : 255);
      }
      level = next_level(level, splits);
    }
    for (std::size_t leaf = 0; leaf + 1 < level.begins.size(); ++leaf) {
      double sum = 0;
      for (std::size_t i = level.begins[leaf]; i < level.begins[leaf + 1]; ++i)
        sum += residuals_[level.rows[i]];
      const auto count = static_cast<double>(level.begins[leaf + 1] - level.begins[leaf]);
      ensemble_.leaves.push_back(
          static_cast<float>(options_.rate * sum / (count + kLeafShrinkage)));
    }
    subtract(first_node, bins);
  }

  void draw(std::uint32_t tree) {
    features_.clear();
    for (std::uint32_t feature = 0; feature < rows_.num_features(); ++feature)
      if (rows_.num_bins(feature) > 1 &&
          drawn(options_.seed, tree, 1, feature, options_.feature_share))
        features_.push_back(feature);
  }

  // Per node; the first feature and the first bin on ties.
  std::vector<Split> best_splits(const Level& level) {
    const std::size_t num_nodes = level.begins.size() - 1;
    std::vector<std::vector<Split>> by_feature(features_.size(), std::vector<Split>(num_nodes));
    threads_.parallel_for(features_.size(), [&](std::size_t, std::size_t i) {
      for (std::size_t node = 0; node < num_nodes; ++node)
        by_feature[i][node] = best_split(level, node, features_[i]);
    });
    std::vector<Split> best(num_nodes);
    for (const auto& splits : by_feature)
      for (std::size_t node = 0; node < num_nodes; ++node)
        if (splits[node].gain > best[node].gain) best[node] = splits[node];
    return best;
  }

  Split best_split(const Level& level, std::size_t node, std::size_t feature) const {
    std::array<Bin, kMaxBins> bins{};
    const std::span<const std::uint8_t> column = rows_.column(feature);
    double sum = 0;
    for (std::size_t i = level.begins[node]; i < level.begins[node + 1]; ++i) {
      const std::uint32_t row = level.rows[i];
      Bin& bin = bins[column[row]];
      bin.sum += residuals_[row];
      ++bin.count;
      sum += residuals_[row];
    }
    const std::size_t count = level.begins[node + 1] - level.begins[node];
    const auto value = [](double part, std::size_t rows) {
      return part * part / (static_cast<double>(rows) + kLeafShrinkage);
    };
    const double whole = value(sum, count);
    Split best{1e-9, feature, 0};
    bool found = false;
    double left = 0;
    std::size_t left_count = 0;
    for (std::size_t bin = 0; bin + 1 < rows_.num_bins(feature); ++bin) {
      left += bins[bin].sum;
      left_count += bins[bin].count;
      if (left_count < options_.min_rows || count - left_count < options_.min_rows) continue;
      const double gain = value(left, left_count) + value(sum - left, count - left_count) - whole;
      if (gain <= best.gain) continue;
      best = {gain, feature, bin};
      found = true;
    }
    return found ? best : Split{};
  }

  // A node that does not split sends all its rows left.
  Level next_level(const Level& level, const std::vector<Split>& splits) const {
    Level next;
    next.rows.reserve(level.rows.size());
    next.begins.push_back(0);
    for (std::size_t node = 0; node < splits.size(); ++node) {
      const std::span<const std::uint8_t> column = rows_.column(splits[node].feature);
      const bool splits_rows = splits[node].gain > 0;
      for (const bool right : {false, true}) {
        for (std::size_t i = level.begins[node]; i < level.begins[node + 1]; ++i) {
          const std::uint32_t row = level.rows[i];
          if ((splits_rows && column[row] > splits[node].bin) == right) next.rows.push_back(row);
        }
        next.begins.push_back(next.rows.size());
      }
    }
    return next;
  }

  // Takes the newest tree's values off the residuals of all rows.
  void subtract(std::size_t first_node, const std::vector<std::uint8_t>& bins) {
    const std::size_t inner = ensemble_.num_inner();
    const float* leaves = ensemble_.leaves.data() + ensemble_.leaves.size() - (inner + 1);
    constexpr std::size_t kBlock = 16384;
    threads_.parallel_for(
        (used_.size() + kBlock - 1) / kBlock, [&](std::size_t, std::size_t block) {
          const std::size_t end = std::min(used_.size(), (block + 1) * kBlock);
          for (std::size_t i = block * kBlock; i < end; ++i) {
            const std::uint32_t row = used_[i];
            std::size_t node = 0;
            for (std::size_t depth = 0; depth < options_.depth; ++depth) {
              const std::uint8_t bin = rows_.column(ensemble_.features[first_node + node])[row];
              node = 2 * node + 1 + static_cast<std::size_t>(bin > bins[node]);
            }
            residuals_[row] -= leaves[node - inner];
          }
        });
  }

  const BinnedRows& rows_;
  const BoostOptions& options_;
  base::Workers& threads_;
  std::vector<float> residuals_;
  std::vector<std::uint32_t> used_;
  std::vector<std::size_t> features_;  // of the tree at hand
  extract::TreeEnsemble ensemble_;
};

}  // namespace

BinnedRows::BinnedRows(std::span<const extract::FeatureRow> rows, std::size_t num_features)
    : num_rows_(rows.size()), edges_(num_features), bins_(rows.size() * num_features) {
  std::vector<float> values(rows.size());
  for (std::size_t feature = 0; feature < num_features; ++feature) {
    for (std::size_t row = 0; row < rows.size(); ++row) values[row] = rows[row][feature];
    if (!rows.empty()) edges_[feature] = bin_edges(values);
    const std::vector<float>& edges = edges_[feature];
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto edge = std::lower_bound(edges.begin(), edges.end(), values[row]);
      bins_[feature * num_rows_ + row] = static_cast<std::uint8_t>(edge - edges.begin());
    }
  }
}

extract::TreeEnsemble boost(const BinnedRows& rows, std::span<const float> targets,
                            std::span<const char> use, const BoostOptions& options,
                            base::Workers& threads) {
  return Grower(rows, targets, use, options, threads).grow();
}

}  // namespace diffie::rank
