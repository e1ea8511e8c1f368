// The decoder on a model that knows everything: a law over a few tag sequences, and its exact
// marginals given what is told. Where words of a role come together or not at all, the weights are
// the law.
#include "diffusion/anchored_decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "expect_error.h"

namespace diffie::diffusion {
namespace {

using Law = std::map<std::string, double>;  // word tags -> probability; what lacks to 1: background

struct KnownSentence {
  std::vector<std::uint32_t> piece_counts;
  std::size_t num_implied = 0;
  Law law;
};

std::string to_pieces(const std::string& words, const std::vector<std::uint32_t>& piece_counts) {
  std::string pieces;
  for (std::size_t word = 0; word < words.size(); ++word) {
    pieces.append(piece_counts[word], words[word]);
  }
  return pieces;
}

// Block i is sentence i.
class KnownLaws final : public Predictor {
 public:
  explicit KnownLaws(std::vector<KnownSentence> sentences) {
    for (KnownSentence& sentence : sentences) {
      Law pieces;
      double none = 1;
      for (const auto& [tags, p] : sentence.law) {
        pieces[to_pieces(tags, sentence.piece_counts)] = p;
        none -= p;
      }
      pieces[std::string(pieces.begin()->first.size(), 'B')] = std::max(0.0, none);
      laws_.push_back(std::move(pieces));
    }
  }

  struct Call {
    std::int32_t stage = 0;
    std::size_t rows = 0;
  };
  const std::vector<Call>& calls() const { return calls_; }

  void predict(std::span<const SampleBlock> blocks, std::int32_t stage,
               Prediction& prediction) override {
    prediction = {};
    calls_.push_back({stage, 0});
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      prediction.logits_begin.push_back(prediction.logits.size());
      for (std::size_t row = 0; row < blocks[i].rows(); ++row) {
        prediction.slot_of_row.push_back(static_cast<std::uint32_t>(row));
        answer(laws_.at(i), blocks[i].tags.subspan(row * blocks[i].length, blocks[i].length),
               prediction.logits);
        ++calls_.back().rows;
      }
    }
  }

 private:
  static void answer(const Law& law, std::span<const std::uint8_t> states,
                     std::vector<float>& logits) {
    constexpr std::string_view kNames = "BSRO";
    std::vector<double> sums(states.size() * kNumTags, 0);
    for (const auto& [tags, p] : law) {
      bool fits = true;
      for (std::size_t i = 0; i < states.size(); ++i) {
        fits = fits && (states[i] == kMask || kNames[states[i]] == tags[i]);
      }
      if (!fits) continue;
      for (std::size_t i = 0; i < states.size(); ++i) {
        sums[i * kNumTags + kNames.find(tags[i])] += p;
      }
    }
    for (const double sum : sums) logits.push_back(static_cast<float>(std::log(sum + 1e-30)));
  }

  std::vector<Law> laws_;
  std::vector<Call> calls_;
};

AnchoredDecoder make_decoder(const Settings& settings = {}) {
  return AnchoredDecoder({.kernel = KernelKind::kAnchored}, settings);
}

std::vector<std::vector<WeightedTags>> decode(const std::vector<KnownSentence>& sentences,
                                              KnownLaws& laws, const Settings& settings = {}) {
  std::vector<AnchoredSentence> asked;
  for (const KnownSentence& each : sentences)
    asked.push_back({each.piece_counts, each.num_implied});
  Prediction prediction;
  return make_decoder(settings).decode(asked, laws, prediction);
}

std::vector<WeightedTags> decode(const KnownSentence& sentence, const Settings& settings = {}) {
  KnownLaws laws({sentence});
  return decode({sentence}, laws, settings).front();
}

void expect_law(const std::vector<WeightedTags>& found, const Law& law) {
  EXPECT_EQ(found.size(), law.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(found[i].tags);
    EXPECT_LE(found[i].weight, i == 0 ? kWeightUnit : found[i - 1].weight);
    ASSERT_TRUE(law.contains(found[i].tags));
    EXPECT_NEAR(found[i].weight, law.at(found[i].tags) * kWeightUnit, 3);
  }
}

TEST(AnchoredDecoder, OneFactHasAllTheWeight) {
  const Law law = {{"SSRBOO", 1}};
  expect_law(decode({{1, 1, 1, 1, 1, 1}, 0, law}), law);
  expect_law(decode({{2, 1, 3, 1, 1, 2}, 0, law}), law);
}

TEST(AnchoredDecoder, WhatIsMissingIsNoTriple) {
  const Law law = {{"SSRBOO", 0.25}};
  expect_law(decode({{1, 1, 1, 1, 1, 1}, 0, law}), law);
}

TEST(AnchoredDecoder, FactsWithRelationsOfTheirOwnKeepTheirProbabilities) {
  const Law law = {{"SRROBB", 0.5}, {"SBBBRO", 0.3}, {"BBBSRO", 0.1}, {"OBBRBS", 0.1}};
  expect_law(decode({{1, 2, 1, 1, 1, 3}, 0, law}), law);
}

TEST(AnchoredDecoder, OneRelationHasSeveralSubjectsAndObjects) {
  const Law law = {{"SBRROB", 0.4}, {"BSRROB", 0.3}, {"SBRRBO", 0.2}, {"BSRRBO", 0.1}};
  expect_law(decode({{1, 1, 2, 1, 1, 1}, 0, law}), law);
}

TEST(AnchoredDecoder, WordsThatMayBeMissingNest) {
  const Law law = {{"SRRROO", 0.7}, {"SRRROB", 0.3}};
  expect_law(decode({{1, 1, 1, 1, 1, 1}, 0, law}), law);
}

// Two words that exclude each other: nested sets have none or both of them, asking about one of
// them tells that the other is out.
TEST(AnchoredDecoder, ASecondWordTellsRelationsApart) {
  Settings settings;
  settings.branch = 4;
  const Law law = {{"SRRBOO", 0.5}, {"SRBROO", 0.5}};
  settings.refine = true;
  const auto refined = decode({{1, 1, 1, 1, 1, 1}, 0, law}, settings);
  const auto weight_of = [](const std::vector<WeightedTags>& found, const std::string& tags) {
    for (const WeightedTags& each : found) {
      if (each.tags == tags) return each.weight;
    }
    return 0U;
  };
  EXPECT_NEAR(weight_of(refined, "SRRBOO"), 0.5 * kWeightUnit, 3);
  EXPECT_EQ(weight_of(refined, "SRRROO"), 0u);
  settings.refine = false;
  const auto nested = decode({{1, 1, 1, 1, 1, 1}, 0, law}, settings);
  EXPECT_EQ(weight_of(nested, "SRBROO"), 0u);
}

// The second word is told, and two implied verbs are as likely as before: the first of them stays.
TEST(AnchoredDecoder, ASecondWordLeavesOneImpliedVerb) {
  Settings settings;
  settings.branch = 4;
  settings.refine = true;
  const auto found = decode({{1, 1, 1, 1, 1, 1}, 2, {{"SRRORR", 0.6}, {"SRBOBB", 0.4}}}, settings);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].tags, "SRRORB");
  EXPECT_NEAR(found[0].weight, 0.6 * kWeightUnit, 3);
  EXPECT_EQ(found[1].tags, "SRBOBB");
}

TEST(AnchoredDecoder, WhatIsLessLikelyThanThetaIsNotGoneAfter) {
  const Law law = {{"SRROBB", 0.9}, {"SBBBRO", 0.06}, {"OBBSRB", 0.04}};
  Settings settings;
  settings.theta = 0.05;
  expect_law(decode({{1, 1, 1, 1, 1, 1}, 0, law}, settings), {{"SRROBB", 0.9}, {"SBBBRO", 0.06}});
  settings.theta = 0.03;
  expect_law(decode({{1, 1, 1, 1, 1, 1}, 0, law}, settings), law);
}

TEST(AnchoredDecoder, ImpliedWordsAreOfRelationsOneAtATime) {
  expect_law(decode({{1, 1, 1, 1, 1}, 2, {{"SBORB", 0.6}, {"SROBB", 0.4}}}),
             {{"SBORB", 0.6}, {"SROBB", 0.4}});
  // A law that breaks the rule: the likelier word stays, and none is a subject or an object.
  for (const WeightedTags& found : decode({{1, 1, 1, 1, 1}, 2, {{"SROBR", 0.5}, {"SRORR", 0.5}}})) {
    EXPECT_EQ(found.tags[3], 'B') << found.tags;
  }
  for (const WeightedTags& found : decode({{1, 1, 1, 1, 1}, 2, {{"SROSO", 1}}})) {
    EXPECT_EQ(found.tags, "SROBB");
  }
}

TEST(AnchoredDecoder, NoTripleLacksARole) {
  EXPECT_TRUE(decode({{1, 1, 1}, 0, {{"SRB", 1}}}).empty());
  EXPECT_TRUE(decode({{1, 1, 1}, 0, {{"BRO", 1}}}).empty());
  EXPECT_TRUE(decode({{1, 1, 1}, 0, {{"SBO", 1}}}).empty());
}

std::vector<KnownSentence> several() {
  return {{{1, 2, 1, 1, 1, 3}, 0, {{"SRROBB", 0.5}, {"SBBBRO", 0.3}, {"BBBSRO", 0.2}}},
          {{1, 1, 1}, 0, {{"SRO", 1}}},
          {{1, 1, 2, 1, 1, 1}, 0, {{"SBRROB", 0.4}, {"BSRROB", 0.3}, {"SBRRBO", 0.3}}},
          {{4}, 0, {{"B", 1}}}};
}

// Ten facts that share nothing but what `tags` says of all: '?' is another word's in each.
Law ten_facts(char role, const std::string& others) {
  Law law;
  for (std::size_t i = 0; i < 10; ++i) {
    std::string tags = others + std::string(10, 'B');
    tags[others.size() + i] = role;
    law[tags] = 0.1;
  }
  return law;
}

TEST(AnchoredDecoder, AsksAboutEightWordsOfARoleAtMost) {
  Settings settings;
  settings.theta = 0.01;
  const std::vector<std::uint32_t> pieces(12, 1);
  for (const auto& [role, others] : {std::pair{'R', "SO"}, {'S', "RO"}, {'O', "SR"}}) {
    const Law law = ten_facts(role, others);
    const auto found = decode({pieces, 0, law}, settings);
    EXPECT_EQ(found.size(), 8u) << role;
    for (const WeightedTags& each : found) EXPECT_TRUE(law.contains(each.tags)) << each.tags;
  }
}

TEST(AnchoredDecoder, SentencesWithOnePieceOrNoneHaveNoTriple) {
  EXPECT_TRUE(decode({{1}, 0, {{"R", 1}}}).empty());
  const KnownSentence none{{}, 0, {{"", 1}}};
  KnownLaws laws({none, several().front()});
  const auto found = decode({none, several().front()}, laws);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].empty());
  EXPECT_EQ(found[1].size(), decode(several().front()).size());
}

TEST(AnchoredDecoder, WeightsNeverExceedTheWhole) {
  Settings settings;
  settings.theta = 0.01;
  settings.branch = 6;
  // Words that exclude each other: sets from two anchors overlap.
  const KnownSentence sentence{
      {1, 1, 1, 1, 1, 1},
      0,
      {{"SRRBOB", 0.3}, {"SBRRBO", 0.3}, {"SRBROB", 0.2}, {"OSRRRB", 0.1}, {"ROBSOR", 0.1}}};
  std::uint64_t sum = 0;
  for (const WeightedTags& found : decode(sentence, settings)) {
    EXPECT_GE(found.weight, 1u);
    sum += found.weight;
  }
  EXPECT_LE(sum, kWeightUnit);
  EXPECT_GT(sum, kWeightUnit / 2);
}

void expect_same_alone(const std::vector<KnownSentence>& sentences, const Settings& settings) {
  KnownLaws laws(sentences);
  const auto together = decode(sentences, laws, settings);
  ASSERT_EQ(together.size(), sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto alone = decode(sentences[i], settings);
    ASSERT_EQ(together[i].size(), alone.size());
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(together[i][k].tags, alone[k].tags);
      EXPECT_EQ(together[i][k].weight, alone[k].weight);
    }
  }
}

TEST(AnchoredDecoder, ASentenceDoesNotKnowItsCompany) { expect_same_alone(several(), {}); }

// Some of them are sure of the relation, and ask about no second word.
TEST(AnchoredDecoder, SecondWordsAreOfTheirSentences) {
  std::vector<KnownSentence> sentences = several();
  sentences.push_back({{1, 1, 1, 1, 1, 1}, 0, {{"SRRBOO", 0.5}, {"SRBROO", 0.5}}});
  sentences.push_back({{1, 2, 1, 1}, 0, {{"SRRO", 0.6}, {"SRBO", 0.4}}});
  sentences.insert(sentences.begin(), {{1, 1, 1, 1, 1}, 0, {{"OBRRS", 0.7}, {"ORRBS", 0.3}}});
  Settings settings;
  settings.branch = 4;
  settings.refine = true;
  expect_same_alone(sentences, settings);
}

// As many calls as the slowest of them alone would need, not the sum.
TEST(AnchoredDecoder, AsksAboutTheRowsOfARoundAtOnce) {
  std::size_t most_calls = 0;
  std::size_t rows_alone = 0;
  const std::vector<KnownSentence> copies(20, several().front());
  for (const KnownSentence& sentence : copies) {
    KnownLaws laws({sentence});
    decode({sentence}, laws);
    most_calls = std::max(most_calls, laws.calls().size());
    for (const KnownLaws::Call& call : laws.calls()) rows_alone += call.rows;
  }
  KnownLaws laws(copies);
  decode(copies, laws);
  EXPECT_EQ(laws.calls().size(), most_calls);
  EXPECT_EQ(laws.calls().front().stage, stage::kNothing);
  EXPECT_EQ(laws.calls().front().rows, copies.size());
  std::size_t rows = 0;
  for (const KnownLaws::Call& call : laws.calls()) rows += call.rows;
  EXPECT_EQ(rows, rows_alone);
}

TEST(AnchoredDecoder, NoSentencesNoRows) {
  KnownLaws laws({});
  EXPECT_TRUE(decode(std::vector<KnownSentence>{}, laws).empty());
  EXPECT_TRUE(laws.calls().empty());
}

TEST(AnchoredDecoder, IsForAnchoredModels) {
  EXPECT_ERROR(AnchoredDecoder({.kernel = KernelKind::kAbsorbing}, Settings{}),
               ErrorCode::kInvalidArgument, "kernel absorbing");
  EXPECT_ERROR(AnchoredDecoder({.kernel = KernelKind::kAnchored, .steps = 8}, Settings{}),
               ErrorCode::kInvalidArgument, "8 steps");
}

}  // namespace
}  // namespace diffie::diffusion
