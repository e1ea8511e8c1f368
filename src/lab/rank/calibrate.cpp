#include "lab/rank/calibrate.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace diffie::rank {
namespace {

constexpr std::size_t kGroups = 40;
constexpr double kLeastRise = 1e-4;  // from knot to knot

struct Group {
  double low = 0;  // mean scores of the first and the last of the groups in it
  double high = 0;
  double right = 0;
  double count = 0;

  double probability() const { return right / count; }
};

// Pool adjacent violators.
std::vector<Group> pooled(const std::vector<Group>& groups) {
  std::vector<Group> out;
  for (const Group& group : groups) {
    out.push_back(group);
    while (out.size() > 1 && out[out.size() - 2].probability() >= out.back().probability()) {
      const Group last = out.back();
      out.pop_back();
      out.back().high = last.high;
      out.back().right += last.right;
      out.back().count += last.count;
    }
  }
  return out;
}

}  // namespace

extract::Calibration calibrate(std::vector<Judged> judged) {
  DIFFIE_ASSERT(!judged.empty());
  std::sort(judged.begin(), judged.end(),
            [](const Judged& a, const Judged& b) { return a.score < b.score; });
  std::vector<Group> groups(std::min(kGroups, judged.size()));
  for (std::size_t i = 0; i < judged.size(); ++i) {
    Group& group = groups[i * groups.size() / judged.size()];
    group.low += judged[i].score;
    group.right += judged[i].right ? 1 : 0;
    group.count += 1;
  }
  for (Group& group : groups) group.high = group.low /= group.count;
  std::vector<extract::Calibration::Knot> knots;
  const auto add = [&](double score, double probability) {
    if (score <= knots.back().score) return;  // equal scores
    const double rise = std::min(1.0, knots.back().probability + kLeastRise);
    knots.push_back({score, std::max(probability, rise)});
  };
  const double lowest = judged.front().score;
  const double highest = judged.back().score;
  knots.push_back({lowest - 1, 0});
  for (const Group& group : pooled(groups)) {
    add(group.low, group.probability());
    add(group.high, group.probability());
  }
  // Scores beyond all that were seen still differ.
  add(highest + 1, 0);
  return extract::Calibration(std::move(knots));
}

Reliability reliability_of(std::span<const Judged> judged) {
  constexpr std::size_t kBins = 10;
  Reliability reliability;
  for (std::size_t i = 0; i < kBins; ++i) {
    const auto bin = static_cast<double>(i);
    reliability.bins.push_back({bin / kBins, (bin + 1) / kBins, 0, 0, 0});
  }
  for (const Judged& entry : judged) {
    const auto place = static_cast<std::size_t>(std::clamp(entry.score, 0.0, 1.0) * kBins);
    ReliabilityBin& bin = reliability.bins[std::min(place, kBins - 1)];
    ++bin.count;
    bin.confidence += entry.score;
    bin.right += entry.right ? 1 : 0;
  }
  for (ReliabilityBin& bin : reliability.bins) {
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    reliability.error += std::abs(bin.confidence - bin.right) / static_cast<double>(judged.size());
    bin.confidence /= count;
    bin.right /= count;
  }
  return reliability;
}

}  // namespace diffie::rank
