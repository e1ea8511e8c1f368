#include "extract/cluster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "extract/bags.h"
#include "extract/selectors.h"

namespace diffie::extract {
namespace {

// Disjoint sets whose root is always the smallest member. Candidates are sorted by falling count,
// so the root is also the member that shows its cluster.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }

  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// The smallest overlap m with 2 m / total >= tau, per total word count. tau comes as a decimal, and
// e.g. 0.55 * 40 is a little over 22 in floating point: what is equal to within 1e-9 counts as
// equal.
std::vector<std::uint32_t> least_overlaps(double tau, std::size_t max_total) {
  std::vector<std::uint32_t> least(max_total + 1);
  for (std::size_t total = 0; total <= max_total; ++total)
    least[total] =
        static_cast<std::uint32_t>(std::ceil((tau - 1e-9) * static_cast<double>(total) / 2));
  return least;
}

void join_similar(const Bags& bags, double tau, Components& components) {
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < bags.size(); ++i) longest = std::max(longest, bags.num_words(i));
  const std::vector<std::uint32_t> least = least_overlaps(tau, 2 * std::size_t{longest});
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const std::uint32_t words_i = bags.num_words(i);
    for (std::size_t j = i + 1; j < bags.size(); ++j) {
      const std::uint32_t words_j = bags.num_words(j);
      const std::uint32_t needed = least[words_i + words_j];
      if (std::min(words_i, words_j) < needed) continue;  // could not reach it
      if (bags.overlap(i, j) >= needed) components.join(i, j);
    }
  }
}

class LenientSelector : public Selector {
 public:
  explicit LenientSelector(const Settings& settings) : settings_(settings) {}

  std::vector<RankedTriple> select(const CandidateSet& pool) const override {
    std::vector<RankedTriple> ranked;
    for (const Cluster& cluster : lenient_clusters(pool, settings_.tau)) {
      const double confidence = static_cast<double>(cluster.mass) / pool.num_samples;
      if (ranked.size() == top_k(settings_) || confidence < settings_.min_confidence) break;
      ranked.push_back({pool.candidates[cluster.members.front()].triple, confidence});
    }
    return ranked;
  }

 private:
  Settings settings_;
};

}  // namespace

std::vector<Cluster> lenient_clusters(const CandidateSet& pool, double tau) {
  const Bags bags(pool.candidates, pool.words);
  Components components(bags.size());
  join_similar(bags, tau, components);
  std::vector<Cluster> clusters;
  std::vector<std::size_t> cluster_of(bags.size());  // of a root
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const std::size_t root = components.find(i);
    if (root == i) {
      cluster_of[root] = clusters.size();
      clusters.emplace_back();
    }
    Cluster& cluster = clusters[cluster_of[root]];
    cluster.members.push_back(i);
    cluster.mass += pool.candidates[i].count;
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const Cluster& a, const Cluster& b) { return a.mass > b.mass; });
  return clusters;
}

std::unique_ptr<Selector> make_lenient_selector(const Settings& settings) {
  return std::make_unique<LenientSelector>(settings);
}

}  // namespace diffie::extract
