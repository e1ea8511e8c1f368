#include "extract/cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "extract/pools.h"

namespace diffie::extract {
namespace {

// The definition, spelled out: edges where 2 m >= tau (n_i + n_j) with tau = permille / 1000 in
// integers, then labels that spread until nothing changes.
class BruteForce {
 public:
  explicit BruteForce(const CandidateSet& pool) : pool_(pool), common_(pool.candidates.size()) {
    for (std::size_t i = 0; i < size(); ++i)
      for (const Candidate& other : pool.candidates)
        common_[i].push_back(total_common(pool.candidates[i].triple, other.triple, pool.words));
  }

  std::vector<RankedTriple> select(int permille, std::size_t top_k) const {
    const std::vector<std::size_t> label = labels(permille);
    std::vector<RankedTriple> ranked;
    for (std::size_t i = 0; i < size(); ++i) {
      if (label[i] != i) continue;
      std::uint32_t mass = 0;
      for (std::size_t j = 0; j < size(); ++j)
        if (label[j] == i) mass += pool_.candidates[j].count;
      ranked.push_back({pool_.candidates[i].triple, static_cast<double>(mass) / pool_.num_samples});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
    ranked.resize(std::min(ranked.size(), top_k));
    return ranked;
  }

 private:
  std::size_t size() const { return pool_.candidates.size(); }

  bool similar(std::size_t i, std::size_t j, int permille) const {
    const int total =
        total_words(pool_.candidates[i].triple) + total_words(pool_.candidates[j].triple);
    return 2 * common_[i][j] * 1000 >= permille * total;
  }

  std::vector<std::size_t> labels(int permille) const {
    std::vector<std::size_t> label(size());
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < size(); ++j)
          if (label[j] < label[i] && similar(i, j, permille)) {
            label[i] = label[j];
            changed = true;
          }
    }
    return label;
  }

  const CandidateSet& pool_;
  std::vector<std::vector<int>> common_;
};

std::vector<RankedTriple> lenient(const CandidateSet& pool, double tau, std::size_t top_k) {
  return make_selector({.top_k = static_cast<std::int32_t>(top_k), .tau = tau})->select(pool);
}

TEST(Lenient, EqualsTheDefinitionOnRandomPools) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::size_t length = seed % 4 == 0 ? 70 : 6 + seed % 15;
    const RandomPool input(seed, length, 1 + seed % 5, 80, seed % 3 == 0 ? 3 : 50);
    const CandidateSet pool = input.build(static_cast<Rule>(seed % 3));
    const BruteForce brute_force(pool);
    for (const int permille : {50, 300, 500, 550, 700, 800, 900, 950, 1000})
      for (const std::size_t top_k : {1u, 4u, 1000u})
        ASSERT_EQ(lenient(pool, permille / 1000.0, top_k), brute_force.select(permille, top_k))
            << "seed " << seed << " tau " << permille;
  }
}

TEST(Lenient, ClustersShareOutTheCandidates) {
  const CandidateSet pool = RandomPool(3, 9, 2, 80, 50).build(Rule::kAllRuns);
  const std::vector<Cluster> clusters = lenient_clusters(pool, 0.8);
  ASSERT_GT(clusters.size(), 1u);
  std::vector<std::size_t> all;
  for (const Cluster& cluster : clusters) {
    EXPECT_TRUE(std::is_sorted(cluster.members.begin(), cluster.members.end()));
    std::uint64_t mass = 0;
    for (const std::size_t member : cluster.members) mass += pool.candidates[member].count;
    EXPECT_EQ(cluster.mass, mass);
    all.insert(all.end(), cluster.members.begin(), cluster.members.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> expected(pool.candidates.size());
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(all, expected);
}

TEST(Lenient, ExactlyTauIsEnoughHoweverTauRounds) {
  // Two triples of `size` words each that share `common` of them: F = common / size.
  int checked = 0;
  for (std::uint32_t size = 4; size <= 40; ++size)
    for (std::uint32_t common = 3; common < size; ++common) {
      CandidateSet pool;
      pool.num_samples = 2;
      for (std::uint32_t i = 0; i < 2 * size; ++i) pool.words.push_back(fmt::format("w{}", i));
      Triple a{{{{0}, {1}, {}}}};
      Triple b = a;
      for (std::uint32_t i = 2; i < size; ++i) {
        a.words[2].push_back(i);
        b.words[2].push_back(i < common ? i : size + i);
      }
      pool.candidates = {{a, 1}, {b, 1}};
      const double tau = static_cast<double>(common) / size;
      ASSERT_EQ(lenient(pool, tau, 9).size(), 1u) << common << " of " << size;
      ASSERT_EQ(lenient(pool, std::nextafter(tau, 0.0), 9).size(), 1u);
      ASSERT_EQ(lenient(pool, std::nextafter(tau, 1.0), 9).size(), 1u);  // the same number, rounded
      ASSERT_EQ(lenient(pool, tau + 1e-6, 9).size(), 2u);
      ++checked;
    }
  EXPECT_GT(checked, 600);
}

TEST(Lenient, ChainsBecomeOneCluster) {
  // a-b and b-c are similar (F = 0.8), a-c is not (F = 0.6); b is not the most frequent.
  CandidateSet pool{
      .words = {"s", "r", "1", "2", "3", "4", "5"}, .candidates = {}, .num_samples = 20};
  pool.candidates = {{Triple{{{{0}, {1}, {2, 3, 4}}}}, 8},
                     {Triple{{{{0}, {1}, {4, 5, 6}}}}, 5},
                     {Triple{{{{0}, {1}, {3, 4, 5}}}}, 2}};
  const auto ranked = lenient(pool, 0.8, 4);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0], (RankedTriple{pool.candidates[0].triple, 0.75}));
  EXPECT_EQ(lenient(pool, 0.81, 4).size(), 3u);
}

TEST(Lenient, WordsMatchWithinTheirRoleOnly) {
  CandidateSet pool{.words = {"a", "b", "c"}, .candidates = {}, .num_samples = 2};
  pool.candidates = {{Triple{{{{0}, {1}, {2}}}}, 1}, {Triple{{{{2}, {1}, {0}}}}, 1}};
  EXPECT_EQ(lenient(pool, 0.34, 4).size(), 2u);
  EXPECT_EQ(lenient(pool, 0.33, 4).size(), 1u);
}

TEST(Lenient, AtTauOneIsTheFrequencyBaselineWhereNoMultisetsAreEqual) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomPool input(seed, 12, 3, 80, 5);
    for (std::size_t i = 0; i < input.words.size(); ++i) input.words[i] += std::to_string(i);
    const CandidateSet pool = input.build(Rule::kAllRuns);
    const auto frequency =
        make_selector({.top_k = 7, .selector = SelectorKind::kFrequency})->select(pool);
    ASSERT_EQ(lenient(pool, 1.0, 7), frequency);
  }
}

TEST(Lenient, AtTauOneEqualMultisetsAreOne) {
  CandidateSet pool{.words = {"the", "saw", "the", "dog"}, .candidates = {}, .num_samples = 4};
  pool.candidates = {{Triple{{{{0}, {1}, {3}}}}, 2}, {Triple{{{{2}, {1}, {3}}}}, 1}};
  const auto ranked = lenient(pool, 1.0, 4);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0], (RankedTriple{pool.candidates[0].triple, 0.75}));
}

}  // namespace
}  // namespace diffie::extract
