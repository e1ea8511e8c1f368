#include "extract/features.h"

#include <algorithm>
#include <cmath>

namespace diffie::extract {
namespace {

constexpr double kEqual = 1 - 1e-9;

// How sure the candidate's own words are, and which ones it lacks. posterior [role, word]: weight
// of the neighbours that give the word this role; used up.
void put_certainty(const Triple& triple, std::span<double> posterior, Place& place) {
  const std::size_t num_words = posterior.size() / 3;
  for (std::size_t role = 0; role < 3; ++role) {
    const std::span<double> of_role = posterior.subspan(role * num_words, num_words);
    for (const std::uint32_t word : triple.words[role]) {
      place.least[role] = std::min(place.least[role], of_role[word] / place.weight);
      of_role[word] = 0;
    }
    for (const double value : of_role) {
      if (value == 0) continue;  // most words
      place.missing_max = std::max(place.missing_max, value / place.weight);
      place.missing_sum += value / place.weight;
    }
  }
}

void add_neighbour(double f, double weight, Place& place) {
  const double f2 = f * f;
  const std::array<double, 4> powers = {f, f2, f2 * f2, f2 * f2 * f2 * f2};
  for (std::size_t i = 0; i < powers.size(); ++i) place.mass[i] += weight * powers[i];
  constexpr std::array<double, 3> kNear = {0.5 - 1e-9, 0.7 - 1e-9, 0.85 - 1e-9};
  for (std::size_t i = 0; i < kNear.size(); ++i) place.near[i] += f >= kNear[i] ? weight : 0.0;
}

}  // namespace

PoolFeatures::PoolFeatures(const CandidateSet& pool, const Bags& bags, const Similarity& similarity,
                           std::span<const double> weights)
    : pool_(pool),
      bags_(bags),
      similarity_(similarity),
      weights_(weights),
      in_sentence_(pool.words.size() - pool.num_implied) {
  for (const std::string& word : pool.words) kinds_.push_back(word_kind(word));
  double total = 0;
  double mean_mass = 0;
  PoolShape shape;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double mass = 0;
    const std::span<const double> row = similarity.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) mass += weights[j] * row[j] * row[j];
    mass_2_.push_back(mass);
    top_mass_ = std::max(top_mass_, mass);
    shape.entropy -= weights[i] * std::log(weights[i]);
    mean_mass += weights[i] * mass;
    total += weights[i];
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    exact_.push_back(std::max(0.0, static_cast<double>(pool.candidates[i].exact)));
    best_exact_ = std::max(best_exact_, exact_[i]);
    total_exact_ += exact_[i];
  }
  if (mean_mass > 0) shape.facts = total / mean_mass;
  shape.top_mass = top_mass_;
  shape.num_samples = static_cast<double>(pool.num_samples);
  shape.num_words = static_cast<double>(in_sentence_);
  shape.num_candidates = static_cast<double>(pool.candidates.size());
  for (const Candidate& candidate : pool.candidates) shape.with_triple += candidate.count;
  const auto sentence_end = kinds_.begin() + static_cast<std::ptrdiff_t>(in_sentence_);
  shape.num_marks =
      static_cast<double>(std::count(kinds_.begin(), sentence_end, WordKind::kPunctuation));
  put_features(shape, pool_row_);
}

std::span<const std::uint32_t> PoolFeatures::said_relation(const Triple& triple) const {
  const std::vector<std::uint32_t>& relation = triple.words[1];
  const auto end = std::lower_bound(relation.begin(), relation.end(), in_sentence_);
  return {relation.begin(), end};
}

FeatureRow PoolFeatures::row(std::size_t candidate) const {
  FeatureRow row = pool_row_;
  put_features(place(candidate), row);
  put_features(phrase(pool_.candidates[candidate].triple), row);
  put_features(opinion(candidate), row);
  return row;
}

Place PoolFeatures::place(std::size_t candidate) const {
  const std::span<const double> row = similarity_.row(candidate);
  const Triple& own = pool_.candidates[candidate].triple;
  Place place;
  place.share = weights_[candidate];
  const std::size_t num_words = pool_.words.size();
  std::vector<double> posterior(3 * num_words);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const auto& words = pool_.candidates[j].triple.words;
    const double f = row[j];
    const double weight = weights_[j];
    const double credit = weight * f * f;
    std::uint32_t common = 0;
    for (std::size_t role = 0; role < 3; ++role) {
      const std::uint32_t overlap = bags_.role_overlap(candidate, j, role);
      const double alike =
          2.0 * overlap / static_cast<double>(own.words[role].size() + words[role].size());
      place.any[role] += weight * alike * alike;
      place.agree[role] += credit * alike;
      place.equal[role] += alike > kEqual ? credit : 0.0;
      common += overlap;
    }
    if (f == 0) continue;
    add_neighbour(f, weight, place);
    place.weight += credit;
    place.precision += credit * common / bags_.num_words(candidate);
    place.recall += credit * common / bags_.num_words(j);
    for (std::size_t role = 0; role < 3; ++role)
      for (const std::uint32_t word : words[role]) posterior[role * num_words + word] += credit;
  }
  put_certainty(own, posterior, place);
  place.mass_rank = mass_2_[candidate] / top_mass_;
  return place;
}

Opinion PoolFeatures::opinion(std::size_t candidate) const {
  const Candidate& own = pool_.candidates[candidate];
  const std::span<const double> row = similarity_.row(candidate);
  Opinion opinion{.is_judged = own.is_judged(),
                  .exact = exact_[candidate],
                  .lenient = std::max(0.0, static_cast<double>(own.lenient)),
                  .share = weights_[candidate],
                  .best_exact = best_exact_,
                  .total = total_exact_};
  for (std::size_t j = 0; j < exact_.size(); ++j) {
    opinion.better += exact_[j] > opinion.exact ? 1.0 : 0.0;
    opinion.near += row[j] >= kWordingLikeness ? exact_[j] : 0.0;
  }
  return opinion;
}

Phrase PoolFeatures::phrase(const Triple& triple) const {
  Phrase phrase{.words = pool_.words,
                .kinds = kinds_,
                .in_sentence = in_sentence_,
                .subject = triple.words[0],
                .relation = triple.words[1],
                .object = triple.words[2],
                .said = said_relation(triple)};
  const bool is_said = !phrase.said.empty();
  phrase.relation_front = is_said ? phrase.said.front() : phrase.subject.back();
  phrase.relation_back = is_said ? phrase.said.back() : phrase.subject.back();
  phrase.first_read = phrase.relation.front();
  phrase.last_read = phrase.relation.back();
  if (phrase.said.size() < phrase.relation.size()) {
    const std::vector<std::uint32_t> read =
        reading_order(phrase.relation, pool_.words, pool_.num_implied);
    phrase.first_read = read.front();
    phrase.last_read = read.back();
  }
  return phrase;
}

}  // namespace diffie::extract
