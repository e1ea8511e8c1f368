#include "extract/features.h"

#include <algorithm>
#include <cmath>

namespace diffie::extract {
namespace {

constexpr double kMaxSamples = 128;  // what more samples say does not change what a share means
constexpr double kEqual = 1 - 1e-9;

// Sums over a candidate's neighbours j, weighted by w_j F(i, j)^2.
struct Neighbourhood {
  double weight = 0;
  double precision = 0;
  double recall = 0;
  std::array<double, 3> agree{};
  std::array<double, 3> equal{};
};

std::size_t count_runs(std::span<const std::uint32_t> words) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] != words[i - 1] + 1) ++runs;
  return runs;
}

}  // namespace

PoolFeatures::PoolFeatures(const Pool& pool, const Bags& bags, const Similarity& similarity,
                           std::span<const double> weights)
    : pool_(pool),
      bags_(bags),
      similarity_(similarity),
      weights_(weights),
      in_sentence_(pool.words.size() - pool.num_implied) {
  for (const std::string& word : pool.words) kinds_.push_back(word_kind(word));
  double total = 0;
  double mean_mass = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double mass = 0;
    const std::span<const double> row = similarity.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) mass += weights[j] * row[j] * row[j];
    mass_2_.push_back(mass);
    top_mass_ = std::max(top_mass_, mass);
    entropy_ -= weights[i] * std::log(weights[i]);
    mean_mass += weights[i] * mass;
    total += weights[i];
  }
  if (mean_mass > 0) facts_ = total / mean_mass;
}

std::span<const std::uint32_t> PoolFeatures::said_relation(const Triple& triple) const {
  const std::vector<std::uint32_t>& relation = triple.words[1];
  const auto end = std::lower_bound(relation.begin(), relation.end(), in_sentence_);
  return {relation.begin(), end};
}

std::size_t PoolFeatures::fill(std::size_t candidate, FeatureRow& row) const {
  float* out = put_place(candidate, row.data());
  out = put_pool(out);
  out = put_words(pool_.candidates[candidate].triple, out);
  return static_cast<std::size_t>(out - row.data());
}

float* PoolFeatures::put_place(std::size_t candidate, float* out) const {
  const std::span<const double> row = similarity_.row(candidate);
  const auto& own_words = pool_.candidates[candidate].triple.words;
  std::array<double, 4> mass{};
  std::array<double, 3> near{};
  std::array<double, 3> any{};
  Neighbourhood sums;
  // posterior[role, word]: share of the neighbours that give the word this role
  std::array<std::vector<double>, 3> posterior;
  for (auto& role : posterior) role.assign(pool_.words.size(), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const auto& words = pool_.candidates[j].triple.words;
    const double f = row[j];
    const double weight = weights_[j];
    const double credit = weight * f * f;
    std::uint32_t common = 0;
    for (std::size_t role = 0; role < 3; ++role) {
      const std::uint32_t overlap = bags_.role_overlap(candidate, j, role);
      const double alike =
          2.0 * overlap / static_cast<double>(own_words[role].size() + words[role].size());
      any[role] += weight * alike * alike;
      sums.agree[role] += credit * alike;
      if (alike > kEqual) sums.equal[role] += credit;
      common += overlap;
    }
    if (f == 0) continue;
    const double f2 = f * f;
    const std::array<double, 4> powers = {f, f2, f2 * f2, f2 * f2 * f2 * f2};
    for (std::size_t i = 0; i < powers.size(); ++i) mass[i] += weight * powers[i];
    constexpr std::array<double, 3> kNear = {0.5 - 1e-9, 0.7 - 1e-9, 0.85 - 1e-9};
    for (std::size_t i = 0; i < kNear.size(); ++i)
      if (f >= kNear[i]) near[i] += weight;
    sums.weight += credit;
    sums.precision += credit * common / bags_.num_words(candidate);
    sums.recall += credit * common / bags_.num_words(j);
    for (std::size_t role = 0; role < 3; ++role)
      for (const std::uint32_t word : words[role]) posterior[role][word] += credit;
  }
  const auto put = [&](double value) { *out++ = static_cast<float>(value); };
  put(weights_[candidate]);
  for (const double value : mass) put(value);
  for (const double value : near) put(value);
  put(sums.precision / sums.weight);
  put(sums.recall / sums.weight);
  for (const double value : sums.agree) put(value / sums.weight);
  for (const double value : sums.equal) put(value / sums.weight);
  put(weights_[candidate] / sums.weight);
  for (const double value : any) put(value);
  double missing_max = 0;
  double missing_sum = 0;
  for (std::size_t role = 0; role < 3; ++role) {
    double least = 1;
    for (const std::uint32_t word : own_words[role]) {
      least = std::min(least, posterior[role][word] / sums.weight);
      posterior[role][word] = 0;
    }
    put(least);
    for (const double value : posterior[role]) {
      missing_max = std::max(missing_max, value / sums.weight);
      missing_sum += value / sums.weight;
    }
  }
  put(missing_max);
  put(missing_sum);
  put(mass_2_[candidate] / top_mass_);
  return out;
}

float* PoolFeatures::put_pool(float* out) const {
  const auto put = [&](double value) { *out++ = static_cast<float>(value); };
  const auto num_samples = static_cast<double>(pool_.num_samples);
  const auto num_words = static_cast<double>(in_sentence_);
  double with_triple = 0;
  for (const Candidate& candidate : pool_.candidates) with_triple += candidate.count;
  put(std::log2(std::min(num_samples, kMaxSamples)));
  put(num_words);
  put(1 - with_triple / num_samples);
  put(entropy_);
  put(std::log(static_cast<double>(pool_.candidates.size()) / num_samples));
  put(top_mass_);
  put(facts_);
  const auto sentence_end = kinds_.begin() + static_cast<std::ptrdiff_t>(in_sentence_);
  put(static_cast<double>(std::count(kinds_.begin(), sentence_end, WordKind::kPunctuation)) /
      num_words);
  return out;
}

float* PoolFeatures::put_words(const Triple& triple, float* out) const {
  const auto put = [&](auto value) { *out++ = static_cast<float>(value); };
  const auto& [subject, relation, object] = triple.words;
  const std::span<const std::uint32_t> said = said_relation(triple);
  // A relation that the sentence does not say stands at the end of its subject.
  const std::uint32_t relation_front = said.empty() ? subject.back() : said.front();
  const std::uint32_t relation_back = said.empty() ? subject.back() : said.back();
  const auto kind_at = [&](std::size_t word) {
    return word < in_sentence_ ? kinds_[word] : WordKind::kNone;
  };
  const auto count = [&](std::span<const std::uint32_t> words, WordKind kind) {
    return std::count_if(words.begin(), words.end(),
                         [&](std::uint32_t word) { return kinds_[word] == kind; });
  };
  const auto distance = [](std::uint32_t from, std::uint32_t to) {
    return static_cast<double>(to) - static_cast<double>(from);
  };
  const auto num_words = static_cast<double>(in_sentence_);
  const std::uint32_t first = std::min({subject.front(), relation_front, object.front()});
  const std::uint32_t last = std::max({subject.back(), relation_back, object.back()});
  for (const auto& role : triple.words) put(role.size());
  put(count_runs(subject));
  put(said.empty() ? 0 : count_runs(said));
  put(count_runs(object));
  const std::vector<std::uint32_t> read = reading_order(relation, pool_.words, pool_.num_implied);
  for (const std::span<const std::uint32_t> role :
       {std::span(subject), std::span(read), std::span(object)}) {
    put(kinds_[role.front()]);
    put(kinds_[role.back()]);
  }
  put(count(relation, WordKind::kContent));
  put(count(relation, WordKind::kBe));
  put(count(relation, WordKind::kPreposition));
  for (const auto& role : triple.words) put(count(role, WordKind::kPunctuation));
  put(distance(subject.back(), relation_front));
  put(distance(relation_back, object.front()));
  put(subject.front() / num_words);
  put(last / num_words);
  put(subject.front() > 0 ? kinds_[subject.front() - 1] : WordKind::kNone);
  put(kind_at(object.back() + std::size_t{1}));
  put(relation_front > 0 ? kinds_[relation_front - 1] : WordKind::kNone);
  put(kind_at(relation_back + std::size_t{1}));
  const std::string_view head = said.empty() ? "" : std::string_view(pool_.words[said.front()]);
  put(head.ends_with("ing"));
  put(head.ends_with("ed"));
  put(head == "to");
  put(std::any_of(said.begin(), said.end(),
                  [&](std::uint32_t word) { return reports_speech(pool_.words[word]); }));
  put(pool_.words[object.front()] == "that");
  put(count(subject, WordKind::kConjunction));
  put(count(object, WordKind::kConjunction));
  put(count(object, WordKind::kPreposition));
  put(distance(first, last) + 1 -
      static_cast<double>(subject.size() + said.size() + object.size()));
  return out;
}

}  // namespace diffie::extract
