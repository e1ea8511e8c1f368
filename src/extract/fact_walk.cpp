#include "extract/fact_walk.h"

#include <algorithm>
#include <numeric>

namespace diffie::extract {
namespace {

constexpr double kSameFact = 0.8 - 1e-9;
constexpr std::size_t kMaxWordings = 8;

}  // namespace

std::vector<const float*> feature_rows(std::span<const Wording> wordings) {
  std::vector<const float*> rows;
  rows.reserve(wordings.size());
  for (const Wording& wording : wordings) rows.push_back(wording.features.data());
  return rows;
}

const Wording& best_wording(const TreeEnsemble& trees, std::span<const Wording> wordings) {
  if (wordings.size() == 1) return wordings.front();
  std::vector<double> values(wordings.size());
  trees.predict(feature_rows(wordings), values);
  const auto best = std::max_element(values.begin(), values.end());
  return wordings[static_cast<std::size_t>(best - values.begin())];
}

FactWalk::FactWalk(const CandidateSet& pool, Walk walk)
    : walk_(walk),
      candidates_(most_frequent(pool)),
      bags_(candidates_, pool.words),
      similarity_(bags_),
      credit_(similarity_.raised_to(2)),
      weights_(shares(candidates_, pool.num_samples)),
      features_(pool, bags_, similarity_, weights_),
      total_(std::accumulate(weights_.begin(), weights_.end(), 0.0)),
      uncovered_(total_),
      cover_(credit_, weights_),
      covered_1_(candidates_.size(), 0.0),
      covered_4_(candidates_.size(), 0.0),
      like_chosen_words_(candidates_.size(), 0.0),
      shown_(candidates_.size(), false),
      passed_(candidates_.size(), false),
      fixed_(candidates_.size()) {}

std::optional<Fact> FactWalk::next() {
  while (true) {
    const std::optional<Choice> choice = choose();
    if (!choice) return std::nullopt;
    Fact fact{choice->candidate, choice->gain, {}};
    const std::vector<std::size_t> wordings = wordings_of(choice->candidate);
    Best best{.gain_1 = gains(choice->candidate)[0]};
    for (const std::size_t candidate : wordings) {
      best.share = std::max(best.share, weights_[candidate]);
      best.exact = std::max(best.exact, features_.exact(candidate));
    }
    fact.wordings.reserve(wordings.size());
    for (const std::size_t candidate : wordings) {
      Wording& wording = fact.wordings.emplace_back();
      wording.candidate = candidate;
      fill(fact, best, wording);
    }
    cover(choice->candidate);
    if (!fact.wordings.empty()) return fact;
  }
}

std::optional<Choice> FactWalk::choose() {
  if (walk_ == Walk::kCoverage) {
    const Choice choice = cover_.best();
    return choice.gain > kMinGain ? std::optional(choice) : std::nullopt;
  }
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (!passed_[i] && (!best || candidates_[i].exact > candidates_[*best].exact)) best = i;
  if (!best) return std::nullopt;
  passed_[*best] = true;
  return Choice{*best, gains(*best)[1]};
}

void FactWalk::show(std::size_t candidate) {
  shown_[candidate] = true;
  if (walk_ == Walk::kCoverage) return;
  const std::span<const double> row = similarity_.row(candidate);
  for (std::size_t j = 0; j < row.size(); ++j)
    if (row[j] >= kSameFact) shown_[j] = passed_[j] = true;
}

std::vector<std::size_t> FactWalk::wordings_of(std::size_t candidate) const {
  const std::span<const double> row = similarity_.row(candidate);
  std::vector<std::size_t> wordings;
  wordings.reserve(kMaxWordings + 1);
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
  const std::span<const double> covered_2 = cover_.covered();
  std::array<double, 3> gain{};
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double f2 = row[j] * row[j];
    gain[0] += weights_[j] * std::max(row[j] - covered_1_[j], 0.0);
    gain[1] += weights_[j] * std::max(f2 - covered_2[j], 0.0);
    gain[2] += weights_[j] * std::max(f2 * f2 - covered_4_[j], 0.0);
  }
  return gain;
}

const FeatureRow& FactWalk::fixed_features(std::size_t candidate) {
  std::optional<FeatureRow>& row = fixed_[candidate];
  if (!row) row = features_.row(candidate);
  return *row;
}

void FactWalk::fill(const Fact& fact, const Best& best, Wording& wording) {
  const std::size_t candidate = wording.candidate;
  const Triple& triple = candidates_[candidate].triple;
  const Triple& fact_triple = candidates_[fact.candidate].triple;
  const std::size_t said = features_.said_relation(triple).size();
  Moment moment{.step = static_cast<double>(step_),
                .gain = gains(candidate),
                .mass_2 = features_.mass_2(candidate),
                .like_chosen = covered_1_[candidate],
                .like_chosen_words = like_chosen_words_[candidate],
                .uncovered = uncovered_,
                .like_fact = similarity_.row(fact.candidate)[candidate],
                .share = weights_[candidate],
                .best_share = best.share,
                .is_fact = candidate == fact.candidate,
                .fact_gain_1 = best.gain_1,
                .fact_gain_2 = fact.gain,
                .fact_mass_2 = features_.mass_2(fact.candidate),
                .implied = static_cast<double>(triple.words[1].size() - said),
                .said = static_cast<double>(said),
                .exact = features_.exact(candidate),
                .best_exact = best.exact};
  for (std::size_t role = 0; role < 3; ++role) {
    moment.more[role] = static_cast<double>(triple.words[role].size()) -
                        static_cast<double>(fact_triple.words[role].size());
  }
  wording.features = fixed_features(candidate);
  put_features(moment, wording.features);
}

void FactWalk::cover(std::size_t candidate) {
  cover_.cover(candidate);
  const std::span<const double> row = similarity_.row(candidate);
  uncovered_ = total_;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double f2 = row[j] * row[j];
    covered_1_[j] = std::max(covered_1_[j], row[j]);
    covered_4_[j] = std::max(covered_4_[j], f2 * f2);
    uncovered_ -= weights_[j] * cover_.covered()[j];
    const double like_words =
        2.0 * bags_.overlap(candidate, j) / (bags_.num_words(candidate) + bags_.num_words(j));
    like_chosen_words_[j] = std::max(like_chosen_words_[j], like_words);
  }
  ++step_;
}

}  // namespace diffie::extract
