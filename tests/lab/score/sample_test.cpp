// The committed sample of invented sentences: the same code paths as the benchmark data, with
// values from the Python transcription of the definitions (scripts/golden/make_score_sample.py).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "diffie/lab/score.h"

namespace diffie {
namespace {

using nlohmann::json;

const std::string kSample = DIFFIE_SOURCE_DIR "/tests/lab/score/sample/";
const std::string kMiniature = DIFFIE_SOURCE_DIR "/tests/miniature/";
constexpr double kTolerance = 1e-12;

Score score_case(const std::string& folder, const json& expected) {
  const Measure measure = parse_measure(expected["measure"].get<std::string>());
  ScoreReadOptions options;
  options.extractor = expected.value("extractor", "");
  const auto outputs =
      read_predictions(folder + expected["pred"].get<std::string>(), measure, options);
  return score_system(read_gold(folder + expected["gold"].get<std::string>(), measure),
                      outputs.at(0), measure);
}

void expect_values_of_the_transcription(const std::string& folder, std::size_t num_cases) {
  const json cases = json::parse(std::ifstream(folder + "expected.json"));
  ASSERT_EQ(cases.size(), num_cases);
  for (const json& expected : cases) {
    SCOPED_TRACE(expected["measure"].get<std::string>() + " " +
                 expected["pred"].get<std::string>());
    const Score result = score_case(folder, expected);
    EXPECT_NEAR(result.precision, expected["precision"].get<double>(), kTolerance);
    EXPECT_NEAR(result.recall, expected["recall"].get<double>(), kTolerance);
    EXPECT_NEAR(result.f1, expected["f1"].get<double>(), kTolerance);
    ASSERT_EQ(result.auc.has_value(), expected.contains("auc"));
    if (!result.auc) continue;
    EXPECT_NEAR(*result.auc, expected["auc"].get<double>(), kTolerance);
    EXPECT_EQ(result.optimal_threshold.value(), expected["optimal_threshold"].get<double>());
    EXPECT_NEAR(result.all_predictions.f1, expected["all_predictions"]["f1"].get<double>(),
                kTolerance);
    ASSERT_EQ(result.curve.size(), expected["curve"].size());
    for (std::size_t i = 0; i < result.curve.size(); ++i) {
      const json& point = expected["curve"][i];
      EXPECT_NEAR(result.curve[i].precision, point[0].get<double>(), kTolerance) << i;
      EXPECT_NEAR(result.curve[i].recall, point[1].get<double>(), kTolerance) << i;
      EXPECT_EQ(result.curve[i].confidence, point[2].get<double>()) << i;
    }
  }
}

TEST(ScoreSample, EveryMeasureGivesTheTranscriptionsValues) {
  expect_values_of_the_transcription(kSample, 15);
}

// Whole extractions of a model (tests/miniature/README.md).
TEST(ScoreSample, MiniatureGivesTheTranscriptionsValues) {
  expect_values_of_the_transcription(kMiniature, 6);
}

void expect_same_tuples(const SystemOutput& got, const SystemOutput& want) {
  ASSERT_EQ(got.sentences.size(), want.sentences.size());
  for (std::size_t i = 0; i < got.sentences.size(); ++i) {
    const PredictedSentence& a = got.sentences[i];
    const PredictedSentence& b = want.sentences[i];
    EXPECT_EQ(a.sentence, b.sentence);
    ASSERT_EQ(a.tuples.size(), b.tuples.size()) << a.sentence;
    for (std::size_t k = 0; k < a.tuples.size(); ++k) {
      EXPECT_EQ(a.tuples[k].relation, b.tuples[k].relation) << a.sentence;
      EXPECT_EQ(a.tuples[k].arguments, b.tuples[k].arguments) << a.sentence;
      EXPECT_EQ(a.tuples[k].confidence, b.tuples[k].confidence) << a.sentence;
    }
  }
}

TEST(ScoreSample, EveryFormatHoldsTheSameTuples) {
  const auto wanted = read_predictions(kSample + "triples.tsv", Measure::kCarb, {});
  const std::pair<const char*, const char*> files[] = {
      {"jsonl", "triples.jsonl"},    {"openie4", "openie4.txt"},   {"openie5", "openie5.txt"},
      {"clausie", "clausie.txt"},    {"ollie", "ollie.txt"},       {"ollie", "ollie_shown.txt"},
      {"reverb", "reverb.txt"},      {"stanford", "stanford.txt"}, {"stanford", "ollie_shown.txt"},
      {"detie", "detie.tsv"},        {"allennlp", "allennlp.txt"}, {"openie4", "ollie_shown.txt"},
      {"openie5", "ollie_shown.txt"}};
  for (const auto& [format, file] : files) {
    SCOPED_TRACE(std::string(format) + " " + file);
    ScoreReadOptions options;
    options.format = format;
    const auto outputs = read_predictions(kSample + file, Measure::kCarb, options);
    ASSERT_EQ(outputs.size(), 1u);
    expect_same_tuples(outputs[0], wanted[0]);
  }
}

TEST(ScoreSample, FormatsAreGuessed) {
  const auto jsonl = read_predictions(kSample + "triples.jsonl", Measure::kCarb, {});
  const auto tabbed = read_predictions(kSample + "triples.tsv", Measure::kCarb, {});
  expect_same_tuples(jsonl.at(0), tabbed.at(0));
  EXPECT_EQ(read_predictions(kSample + "wire57_extractions.json", Measure::kWire57, {}).size(), 2u);
  EXPECT_EQ(read_predictions(kSample + "benchie_explicit.txt", Measure::kBenchie, {})
                .at(0)
                .sentences.at(0)
                .id,
            "1");
}

// BenchIE and WiRe57 know sentences by id, but take text too.
TEST(ScoreSample, SentencesAreFoundByTextWhereTheGoldHasIds) {
  const auto output = read_predictions(kSample + "triples.tsv", Measure::kBenchie,
                                       {.format = "tabbed", .extractor = {}});
  const Score benchie = score_system(read_gold(kSample + "benchie_gold.txt", Measure::kBenchie),
                                     output.at(0), Measure::kBenchie);
  EXPECT_EQ(benchie.num_scored, 7u);  // of the first three sentences
  EXPECT_GT(benchie.recall, 0);
  const Score wire57 = score_system(read_gold(kSample + "wire57_gold.json", Measure::kWire57),
                                    output.at(0), Measure::kWire57);
  EXPECT_EQ(wire57.num_scored, 5u);
  EXPECT_GT(wire57.recall, 0);
}

}  // namespace
}  // namespace diffie
