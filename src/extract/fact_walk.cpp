#include "extract/fact_walk.h"

#include <algorithm>
#include <numeric>

#include "core/assert.h"

namespace diffie::extract {
namespace {

constexpr double kWordingLikeness = 0.75 - 1e-9;
constexpr std::size_t kMaxWordings = 8;

}  // namespace

const Wording& best_wording(const TreeEnsemble& trees, std::span<const Wording> wordings) {
  if (wordings.size() == 1) return wordings.front();
  const Wording* best = nullptr;
  double best_value = 0;
  for (const Wording& wording : wordings) {
    const double value = trees.predict(wording.features);
    if (best != nullptr && value <= best_value) continue;
    best = &wording;
    best_value = value;
  }
  return *best;
}

FactWalk::FactWalk(const Pool& pool)
    : candidates_(most_frequent(pool)),
      bags_(candidates_, pool.words),
      similarity_(bags_),
      credit_(similarity_.raised_to(2)),
      weights_(shares(candidates_, pool.num_samples)),
      features_(pool, bags_, similarity_, weights_),
      total_(std::accumulate(weights_.begin(), weights_.end(), 0.0)),
      like_chosen_words_(candidates_.size(), 0.0),
      shown_(candidates_.size(), false) {
  for (auto& covered : covered_) covered.assign(candidates_.size(), 0.0);
}

std::optional<Fact> FactWalk::next() {
  while (true) {
    const Choice choice = best_choice(credit_, weights_, covered_[1]);
    if (choice.gain <= kMinGain) return std::nullopt;
    Fact fact{choice.candidate, choice.gain, {}};
    const std::vector<std::size_t> wordings = wordings_of(choice.candidate);
    double best_share = 0;
    for (const std::size_t candidate : wordings)
      best_share = std::max(best_share, weights_[candidate]);
    const double gain_1 = gains(choice.candidate)[0];
    for (const std::size_t candidate : wordings) {
      fact.wordings.push_back({candidate, {}});
      fill(fact, gain_1, best_share, fact.wordings.back());
    }
    cover(choice.candidate);
    if (!fact.wordings.empty()) return fact;
  }
}

std::vector<std::size_t> FactWalk::wordings_of(std::size_t candidate) const {
  const std::span<const double> row = similarity_.row(candidate);
  std::vector<std::size_t> wordings;
  bool has_itself = false;
  for (std::size_t j = 0; j < row.size() && wordings.size() < kMaxWordings; ++j) {
    if (shown_[j] || row[j] < kWordingLikeness) continue;
    wordings.push_back(j);
    has_itself = has_itself || j == candidate;
  }
  if (!has_itself && !shown_[candidate]) wordings.push_back(candidate);
  return wordings;
}

std::array<double, 3> FactWalk::gains(std::size_t candidate) const {
  const std::span<const double> row = similarity_.row(candidate);
  std::array<double, 3> gain{};
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double f2 = row[j] * row[j];
    gain[0] += weights_[j] * std::max(row[j] - covered_[0][j], 0.0);
    gain[1] += weights_[j] * std::max(f2 - covered_[1][j], 0.0);
    gain[2] += weights_[j] * std::max(f2 * f2 - covered_[2][j], 0.0);
  }
  return gain;
}

void FactWalk::fill(const Fact& fact, double gain_1, double best_share, Wording& wording) const {
  const std::size_t candidate = wording.candidate;
  float* out = wording.features.data() + features_.fill(candidate, wording.features);
  const auto put = [&](auto value) { *out++ = static_cast<float>(value); };
  const std::array<double, 3> gain = gains(candidate);
  put(step_);
  for (const double value : gain) put(value);
  put(gain[1] / features_.mass_2(candidate));
  put(covered_[0][candidate]);
  put(like_chosen_words_[candidate]);
  double uncovered = total_;
  for (std::size_t j = 0; j < weights_.size(); ++j) uncovered -= weights_[j] * covered_[1][j];
  put(uncovered);
  put(similarity_.row(fact.candidate)[candidate]);
  put(weights_[candidate] / best_share);
  put(candidate == fact.candidate);
  put(fact.gain);
  put(gain_1);
  const auto& fact_words = candidates_[fact.candidate].triple.words;
  const auto& words = candidates_[candidate].triple.words;
  for (std::size_t role = 0; role < 3; ++role)
    put(static_cast<double>(words[role].size()) - static_cast<double>(fact_words[role].size()));
  put(features_.mass_2(candidate) / features_.mass_2(fact.candidate));
  const std::size_t said = features_.said_relation(candidates_[candidate].triple).size();
  put(words[1].size() - said);
  put(said);
  DIFFIE_ASSERT(out == wording.features.data() + kNumFeatures);
}

void FactWalk::cover(std::size_t candidate) {
  const std::span<const double> row = similarity_.row(candidate);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double f2 = row[j] * row[j];
    covered_[0][j] = std::max(covered_[0][j], row[j]);
    covered_[1][j] = std::max(covered_[1][j], f2);
    covered_[2][j] = std::max(covered_[2][j], f2 * f2);
    const double like_words =
        2.0 * bags_.overlap(candidate, j) / (bags_.num_words(candidate) + bags_.num_words(j));
    like_chosen_words_[j] = std::max(like_chosen_words_[j], like_words);
  }
  ++step_;
}

}  // namespace diffie::extract
