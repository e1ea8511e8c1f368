// The features of a ranker: one table, from which names, count, order and values follow.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "extract/feature_inputs.h"

namespace diffie::extract {

template <typename Input>
using FeatureOf = double (*)(const Input&);

struct Feature {
  std::string_view name;
  std::variant<FeatureOf<Place>, FeatureOf<PoolShape>, FeatureOf<Phrase>, FeatureOf<Opinion>,
               FeatureOf<Moment>>
      value;
};

namespace feature {

constexpr double kMaxSamples = 128;    // what more samples say does not change what a share means
constexpr double kMaxDistinct = 1024;  // weights are parts of a million: distinct ones stay few

inline double flag(bool value) { return value ? 1 : 0; }

inline double size(Phrase::Words words) { return static_cast<double>(words.size()); }

inline double runs(Phrase::Words words) {
  std::size_t count = words.empty() ? 0 : 1;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] != words[i - 1] + 1) ++count;
  return static_cast<double>(count);
}

inline double distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<double>(to) - static_cast<double>(from);
}

// Words left out between the first and the last.
inline double hole(Phrase::Words words) {
  return words.empty() ? 0 : distance(words.front(), words.back()) + 1 - size(words);
}

// The same for a relation, less what stands between its auxiliaries and the rest: "was not seen".
inline double hole_beyond_verb(const Phrase& p) {
  double left_out = 0;
  bool auxiliaries = true;  // alone, up to here
  for (std::size_t i = 1; i < p.said.size(); ++i) {
    const WordKind before = p.kinds[p.said[i - 1]];
    auxiliaries = auxiliaries && (before == WordKind::kBe || before == WordKind::kAuxiliary);
    if (!auxiliaries) left_out += distance(p.said[i - 1], p.said[i]) - 1;
  }
  return left_out;
}

// Slots that begin or end with a mark, each end counted.
inline double marks_at_ends(const Phrase& p) {
  double marks = 0;
  for (const std::uint32_t word : {p.subject.front(), p.subject.back(), p.first_read, p.last_read,
                                   p.object.front(), p.object.back()})
    marks += flag(p.kinds[word] == WordKind::kPunctuation);
  return marks;
}

// A slot cannot end here: something must follow.
inline bool is_open_end(WordKind kind) {
  return kind == WordKind::kDeterminer || kind == WordKind::kPreposition ||
         kind == WordKind::kConjunction;
}

inline double quotient(double value, double by) { return by > 0 ? value / by : 0; }

inline bool any_reports_speech(const Phrase& p) {
  return std::any_of(p.said.begin(), p.said.end(),
                     [&](std::uint32_t word) { return reports_speech(p.words[word]); });
}

}  // namespace feature

// A feature's index in every row is its index here, so that the features of an older schema are the
// first ones of a newer. docs/notes/selection.md says what each one is;
// a change of what any of them means needs a new number in extract/feature_schema.h.
inline constexpr auto kFeatures = std::to_array<Feature>({
    // the candidate in its pool
    {"share", [](const Place& p) { return p.share; }},
    {"mass_1", [](const Place& p) { return p.mass[0]; }},
    {"mass_2", [](const Place& p) { return p.mass[1]; }},
    {"mass_4", [](const Place& p) { return p.mass[2]; }},
    {"mass_8", [](const Place& p) { return p.mass[3]; }},
    {"near_50", [](const Place& p) { return p.near[0]; }},
    {"near_70", [](const Place& p) { return p.near[1]; }},
    {"near_85", [](const Place& p) { return p.near[2]; }},
    {"precision", [](const Place& p) { return p.precision / p.weight; }},
    {"recall", [](const Place& p) { return p.recall / p.weight; }},
    {"agree_s", [](const Place& p) { return p.agree[0] / p.weight; }},
    {"agree_r", [](const Place& p) { return p.agree[1] / p.weight; }},
    {"agree_o", [](const Place& p) { return p.agree[2] / p.weight; }},
    {"equal_s", [](const Place& p) { return p.equal[0] / p.weight; }},
    {"equal_r", [](const Place& p) { return p.equal[1] / p.weight; }},
    {"equal_o", [](const Place& p) { return p.equal[2] / p.weight; }},
    {"own", [](const Place& p) { return p.share / p.weight; }},
    {"any_s", [](const Place& p) { return p.any[0]; }},
    {"any_r", [](const Place& p) { return p.any[1]; }},
    {"any_o", [](const Place& p) { return p.any[2]; }},
    {"least_s", [](const Place& p) { return p.least[0]; }},
    {"least_r", [](const Place& p) { return p.least[1]; }},
    {"least_o", [](const Place& p) { return p.least[2]; }},
    {"missing_max", [](const Place& p) { return p.missing_max; }},
    {"missing_sum", [](const Place& p) { return p.missing_sum; }},
    {"mass_rank", [](const Place& p) { return p.mass_rank; }},
    // the pool
    {"samples",
     [](const PoolShape& p) { return std::log2(std::min(p.num_samples, feature::kMaxSamples)); }},
    {"words", [](const PoolShape& p) { return p.num_words; }},
    {"no_triple", [](const PoolShape& p) { return 1 - p.with_triple / p.num_samples; }},
    {"entropy", [](const PoolShape& p) { return p.entropy; }},
    {"distinct", [](const PoolShape& p) { return std::log(p.num_candidates / std::min(p.num_samples, feature::kMaxDistinct)); }},
    {"top_mass", [](const PoolShape& p) { return p.top_mass; }},
    {"facts", [](const PoolShape& p) { return p.facts; }},
    {"punctuation", [](const PoolShape& p) { return p.num_marks / p.num_words; }},
    // the candidate's words
    {"words_s", [](const Phrase& p) { return feature::size(p.subject); }},
    {"words_r", [](const Phrase& p) { return feature::size(p.relation); }},
    {"words_o", [](const Phrase& p) { return feature::size(p.object); }},
    {"runs_s", [](const Phrase& p) { return feature::runs(p.subject); }},
    {"runs_r", [](const Phrase& p) { return feature::runs(p.said); }},
    {"runs_o", [](const Phrase& p) { return feature::runs(p.object); }},
    {"first_s", [](const Phrase& p) { return p.kind_of(p.subject.front()); }},
    {"last_s", [](const Phrase& p) { return p.kind_of(p.subject.back()); }},
    {"first_r", [](const Phrase& p) { return p.kind_of(p.first_read); }},
    {"last_r", [](const Phrase& p) { return p.kind_of(p.last_read); }},
    {"first_o", [](const Phrase& p) { return p.kind_of(p.object.front()); }},
    {"last_o", [](const Phrase& p) { return p.kind_of(p.object.back()); }},
    {"content_r", [](const Phrase& p) { return p.count(p.relation, WordKind::kContent); }},
    {"be_r", [](const Phrase& p) { return p.count(p.relation, WordKind::kBe); }},
    {"prepositions_r", [](const Phrase& p) { return p.count(p.relation, WordKind::kPreposition); }},
    {"marks_s", [](const Phrase& p) { return p.count(p.subject, WordKind::kPunctuation); }},
    {"marks_r", [](const Phrase& p) { return p.count(p.relation, WordKind::kPunctuation); }},
    {"marks_o", [](const Phrase& p) { return p.count(p.object, WordKind::kPunctuation); }},
    {"gap_sr", [](const Phrase& p) { return feature::distance(p.subject.back(), p.relation_front); }},
    {"gap_ro", [](const Phrase& p) { return feature::distance(p.relation_back, p.object.front()); }},
    {"begin",
     [](const Phrase& p) { return p.subject.front() / static_cast<double>(p.in_sentence); }},
    {"end", [](const Phrase& p) { return p.end() / static_cast<double>(p.in_sentence); }},
    {"before_s", [](const Phrase& p) { return p.kind_before(p.subject.front()); }},
    {"after_o", [](const Phrase& p) { return p.kind_after(p.object.back()); }},
    {"before_r", [](const Phrase& p) { return p.kind_before(p.relation_front); }},
    {"after_r", [](const Phrase& p) { return p.kind_after(p.relation_back); }},
    {"r_ing", [](const Phrase& p) { return feature::flag(p.head().ends_with("ing")); }},
    {"r_ed", [](const Phrase& p) { return feature::flag(p.head().ends_with("ed")); }},
    {"r_to", [](const Phrase& p) { return feature::flag(p.head() == "to"); }},
    {"r_said", [](const Phrase& p) { return feature::flag(feature::any_reports_speech(p)); }},
    {"o_that", [](const Phrase& p) { return feature::flag(p.words[p.object.front()] == "that"); }},
    {"joins_s", [](const Phrase& p) { return p.count(p.subject, WordKind::kConjunction); }},
    {"joins_o", [](const Phrase& p) { return p.count(p.object, WordKind::kConjunction); }},
    {"prepositions_o", [](const Phrase& p) { return p.count(p.object, WordKind::kPreposition); }},
    {"holes",
     [](const Phrase& p) {
       return feature::distance(p.begin(), p.end()) + 1 -
              static_cast<double>(p.subject.size() + p.said.size() + p.object.size());
     }},
    // what is chosen already
    {"step", [](const Moment& m) { return m.step; }},
    {"gain_1", [](const Moment& m) { return m.gain[0]; }},
    {"gain_2", [](const Moment& m) { return m.gain[1]; }},
    {"gain_4", [](const Moment& m) { return m.gain[2]; }},
    {"gain_share", [](const Moment& m) { return m.gain[1] / m.mass_2; }},
    {"like_chosen", [](const Moment& m) { return m.like_chosen; }},
    {"like_chosen_words", [](const Moment& m) { return m.like_chosen_words; }},
    {"uncovered", [](const Moment& m) { return m.uncovered; }},
    // the candidate beside the one that stands for the fact
    {"like_fact", [](const Moment& m) { return m.like_fact; }},
    {"share_of_best", [](const Moment& m) { return m.share / m.best_share; }},
    {"is_fact", [](const Moment& m) { return feature::flag(m.is_fact); }},
    {"fact_gain_2", [](const Moment& m) { return m.fact_gain_2; }},
    {"fact_gain_1", [](const Moment& m) { return m.fact_gain_1; }},
    {"more_s", [](const Moment& m) { return m.more[0]; }},
    {"more_r", [](const Moment& m) { return m.more[1]; }},
    {"more_o", [](const Moment& m) { return m.more[2]; }},
    {"mass_of_fact", [](const Moment& m) { return m.mass_2 / m.fact_mass_2; }},
    // words that the sentence lacks
    {"implied_r", [](const Moment& m) { return m.implied; }},
    {"said_r", [](const Moment& m) { return m.said; }},
    // here schema 1 ends; what the judge says
    {"judged", [](const Opinion& o) { return feature::flag(o.is_judged); }},
    {"judge_exact", [](const Opinion& o) { return o.exact; }},
    {"judge_lenient", [](const Opinion& o) { return o.lenient; }},
    {"judge_of_best", [](const Opinion& o) { return feature::quotient(o.exact, o.best_exact); }},
    {"judge_rank", [](const Opinion& o) { return o.better; }},
    {"judge_share", [](const Opinion& o) { return o.exact * o.share; }},
    {"judge_near", [](const Opinion& o) { return o.near; }},
    {"judge_total", [](const Opinion& o) { return o.total; }},
    {"judge_of_wordings",
     [](const Moment& m) { return feature::quotient(m.exact, m.best_exact); }},
    // holes and ends of the slots
    {"hole_s", [](const Phrase& p) { return feature::hole(p.subject); }},
    {"hole_r", [](const Phrase& p) { return feature::hole(p.said); }},
    {"hole_r_beyond_verb", [](const Phrase& p) { return feature::hole_beyond_verb(p); }},
    {"hole_o", [](const Phrase& p) { return feature::hole(p.object); }},
    {"content_s", [](const Phrase& p) { return p.count(p.subject, WordKind::kContent); }},
    {"content_o", [](const Phrase& p) { return p.count(p.object, WordKind::kContent); }},
    {"marks_at_ends", [](const Phrase& p) { return feature::marks_at_ends(p); }},
    {"open_s", [](const Phrase& p) { return feature::flag(feature::is_open_end(p.kinds[p.subject.back()])); }},
    {"open_o", [](const Phrase& p) { return feature::flag(feature::is_open_end(p.kinds[p.object.back()])); }},
});

inline constexpr std::size_t kNumFeatures = kFeatures.size();
using FeatureRow = std::array<float, kNumFeatures>;

inline constexpr auto kFeatureNames = [] {
  std::array<std::string_view, kNumFeatures> names;
  for (std::size_t i = 0; i < kNumFeatures; ++i) names[i] = kFeatures[i].name;
  return names;
}();

// Those features of `row` that are functions of `input`; the others stay as they are. The table is
// walked when this is compiled, so that no call goes through a pointer.
template <typename Input>
void put_features(const Input& input, FeatureRow& row) {
  const auto put = [&]<std::size_t index>() {
    using Value = FeatureOf<Input>;
    if constexpr (std::holds_alternative<Value>(kFeatures[index].value)) {
      constexpr Value value = std::get<Value>(kFeatures[index].value);
      row[index] = static_cast<float>(value(input));
    }
  };
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    (put.template operator()<index>(), ...);
  }
  (std::make_index_sequence<kNumFeatures>());
}

}  // namespace diffie::extract
