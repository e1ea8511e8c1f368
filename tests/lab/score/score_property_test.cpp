// What must hold whatever the data.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "diffie/lab/score.h"
#include "expect_error.h"

namespace diffie {
namespace {

const std::string kSample = DIFFIE_SOURCE_DIR "/tests/lab/score/sample/";

GoldPart part(std::string text) { return {std::move(text), {}, 0}; }

GoldSentence gold_sentence(std::string sentence, std::vector<GoldTuple> tuples) {
  GoldSentence result{{}, std::move(sentence), {}, std::move(tuples), 0};
  result.num_facts = result.tuples.size();
  return result;
}

GoldTuple gold(const char* subject, const char* relation, const char* object) {
  return {part(relation), {part(subject), part(object)}, 0};
}

PredictedTuple predicted(const char* subject, const char* relation, const char* object,
                         double confidence) {
  return {relation, {subject, object}, confidence};
}

GoldStandard two_sentences() {
  return {{gold_sentence("A b .", {gold("a", "eats", "b"), gold("a", "sees", "b")}),
           gold_sentence("C d .", {gold("c", "eats", "d")})},
          {}};
}

SystemOutput output(std::vector<PredictedSentence> sentences) {
  return {"system", std::move(sentences), {}};
}

TEST(Score, WithoutPredictionsEverythingIsZero) {
  for (const char* name : {"carb", "carb_hungarian", "wire57_c"}) {
    const Score score = score_system(two_sentences(), output({}), parse_measure(name));
    EXPECT_EQ(score.f1, 0);
    EXPECT_EQ(score.recall, 0);
    EXPECT_EQ(score.auc.value_or(0), 0);
    EXPECT_FALSE(score.optimal_threshold.has_value());
    EXPECT_TRUE(score.curve.empty());
    EXPECT_EQ(score.num_gold, 3u);
  }
}

TEST(Score, PerfectPredictionsGetFullMarks) {
  const auto perfect =
      output({{{}, "A b .", {predicted("a", "eats", "b", 0.9), predicted("a", "sees", "b", 0.2)}},
              {{}, "C d .", {predicted("c", "eats", "d", 0.5)}}});
  for (const std::string& name : measure_names()) {
    if (name == "benchie" || name == "wire57" || name == "wire57_hungarian") continue;
    const Score score = score_system(two_sentences(), perfect, parse_measure(name));
    EXPECT_DOUBLE_EQ(score.f1, 1) << name;
    if (score.auc) {
      EXPECT_DOUBLE_EQ(*score.auc, 1) << name;
    }
  }
}

TEST(Score, OneConfidenceMakesOneTrapezoid) {
  const auto one = output({{{}, "A b .", {predicted("a", "eats", "b x x", 0.3)}}});
  const Score score = score_system(two_sentences(), one, Measure::kCarb);
  ASSERT_EQ(score.curve.size(), 1u);
  EXPECT_DOUBLE_EQ(score.auc.value(), score.recall * (1 + score.precision) / 2);
}

TEST(Score, PredictionsWithoutGoldOnlyRepeatPoints) {
  auto sentences = std::vector<PredictedSentence>{
      {{}, "A b .", {predicted("a", "eats", "b", 0.3), predicted("a", "eats", "x", 0.7)}}};
  const Score before = score_system(two_sentences(), output(sentences), Measure::kCarb);
  sentences.push_back({{}, "Elsewhere .", {predicted("x", "y", "z", 0.5)}});
  const Score after = score_system(two_sentences(), output(sentences), Measure::kCarb);
  EXPECT_EQ(after.curve.size(), before.curve.size() + 1);
  EXPECT_EQ(after.curve[1].precision, after.curve[2].precision);
  EXPECT_EQ(after.f1, before.f1);
  EXPECT_NEAR(after.auc.value(), before.auc.value(), 1e-15);
  EXPECT_EQ(after.num_scored, 2u);
  EXPECT_EQ(after.num_predicted, 3u);
}

TEST(Score, LaterSpellingOfASentenceReplacesTheEarlier) {
  const auto twice = output({{{}, "A b .", {predicted("a", "eats", "b", 0.9)}},
                             {{}, "A b", {predicted("x", "x", "x", 0.4)}}});
  const Score score = score_system(two_sentences(), twice, Measure::kCarb);
  EXPECT_EQ(score.f1, 0);
  EXPECT_EQ(score.curve.size(), 1u);  // the replaced one's confidence is gone too
}

TEST(Score, IdsDoNotServeCarb) {
  EXPECT_ERROR(score_system(two_sentences(), output({{"7", {}, {predicted("a", "b", "c", 1)}}}),
                            Measure::kCarb),
               ErrorCode::kInvalidArgument, "'7'");
}

// Random small worlds over few words: many partial matches and ties.
struct World {
  GoldStandard gold;
  SystemOutput output;
};

World random_world(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto text = [&] {
    std::string words;
    for (std::uint32_t i = 0; i <= random() % 3; ++i) {
      if (i > 0) words += ' ';
      words += static_cast<char>('a' + random() % 4);
    }
    return words;
  };
  World world;
  world.output.name = "random";
  for (int i = 0; i < 12; ++i) {
    GoldSentence gold_s = gold_sentence("s" + std::to_string(i), {});
    PredictedSentence sentence{{}, gold_s.sentence, {}};
    for (std::uint32_t k = 0; k <= random() % 4; ++k) {
      gold_s.tuples.push_back({part(text()), {part(text()), part(text())}, 0});
    }
    gold_s.num_facts = gold_s.tuples.size();
    for (std::uint32_t k = 0; k < random() % 6; ++k) {
      sentence.tuples.push_back({text(), {text(), text()}, static_cast<double>(random() % 7)});
    }
    world.gold.sentences.push_back(gold_s);
    if (!sentence.tuples.empty()) world.output.sentences.push_back(sentence);
  }
  return world;
}

TEST(ScoreProperty, OrderOfTheMeasuresHoldsAtEveryThreshold) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const World world = random_world(seed);
    const auto run = [&](Measure measure) {
      return score_system(world.gold, world.output, measure);
    };
    const Score carb = run(Measure::kCarb);
    const Score one_to_one = run(Measure::kCarb11);
    const Score hungarian = run(Measure::kCarbHungarian);
    const Score joint = run(Measure::kCarbHungarianF1);
    for (std::size_t i = 0; i < carb.curve.size(); ++i) {
      EXPECT_EQ(one_to_one.curve[i].precision, carb.curve[i].precision);
      EXPECT_LE(one_to_one.curve[i].recall, hungarian.curve[i].recall + 1e-12);
      EXPECT_LE(hungarian.curve[i].recall, carb.curve[i].recall + 1e-12);
      EXPECT_GE(hungarian.curve[i].precision, carb.curve[i].precision - 1e-12);
      EXPECT_LE(joint.curve[i].precision, hungarian.curve[i].precision + 1e-12);
      EXPECT_LE(joint.curve[i].recall, hungarian.curve[i].recall + 1e-12);
    }
  }
}

TEST(ScoreProperty, OnlyTheOrderOfConfidencesMatters) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    World world = random_world(seed);
    const Score before = score_system(world.gold, world.output, Measure::kCarb11);
    for (PredictedSentence& sentence : world.output.sentences) {
      for (PredictedTuple& tuple : sentence.tuples) {
        tuple.confidence = std::exp(tuple.confidence) - 1000;
      }
    }
    const Score after = score_system(world.gold, world.output, Measure::kCarb11);
    EXPECT_EQ(after.f1, before.f1);
    EXPECT_EQ(after.auc.value(), before.auc.value());
  }
}

// The running sums against one threshold at a time.
TEST(ScoreProperty, SweepEqualsScoringEachThresholdAlone) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const World world = random_world(seed);
    for (const Measure measure : {Measure::kCarb, Measure::kCarb11, Measure::kCarbHungarianF1}) {
      const Score whole = score_system(world.gold, world.output, measure);
      for (const CurvePoint& point : whole.curve) {
        SystemOutput kept = world.output;
        for (PredictedSentence& sentence : kept.sentences) {
          std::erase_if(sentence.tuples, [&](const PredictedTuple& tuple) {
            return tuple.confidence < point.confidence;
          });
        }
        const Score alone = score_system(world.gold, kept, measure);
        EXPECT_NEAR(alone.all_predictions.precision, point.precision, 1e-14);
        EXPECT_NEAR(alone.all_predictions.recall, point.recall, 1e-14);
      }
    }
  }
}

TEST(Measure, OnlyThoseOfCarbHaveACurve) {
  for (const std::string& name : measure_names()) {
    EXPECT_EQ(has_curve(parse_measure(name)), name.starts_with("carb")) << name;
  }
  EXPECT_EQ(measure_names().size(), 10u);
  EXPECT_STREQ(to_string(static_cast<Measure>(99)), "unknown");
}

TEST(Measure, NamesAreReadBack) {
  for (const std::string& name : measure_names()) EXPECT_EQ(to_string(parse_measure(name)), name);
  EXPECT_ERROR(parse_measure("crab"), ErrorCode::kInvalidArgument, "carb_1_1");
}

}  // namespace
}  // namespace diffie
