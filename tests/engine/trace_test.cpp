#include "diffie/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engine/engine.h"
#include "engine/same_results.h"
#include "engine/toy_model.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie {
namespace {

constexpr std::size_t kAll = 1000000;
constexpr std::string_view kSentence =
    "The strike obtained political support from electroencephalographers, and Café-goers cheered.";

class TraceTest : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<test::TempDir>();
    for (const char* kernel : {"anchored", "uniform", "absorbing"}) {
      test::init_toy_model(temp_->path() / kernel, kernel, {"is", "of"});
      models_[kernel] = Model::load(temp_->path() / kernel);
    }
  }
  static void TearDownTestSuite() {
    models_.clear();
    temp_.reset();
  }

  static std::shared_ptr<const Model> model() { return models_.at(GetParam()); }
  static bool is_anchored() { return GetParam() == std::string_view("anchored"); }

  static Settings settings() {
    Settings settings = model()->settings("balanced");
    settings.samples = 48;
    settings.steps = 4;
    settings.top_k = 64;
    settings.theta = 1e-3;  // nothing is likely
    settings.rule = Rule::kAllRuns;
    settings.threads = 3;
    return settings;
  }

  static std::map<std::string, std::shared_ptr<const Model>> models_;
  static std::unique_ptr<test::TempDir> temp_;
};

std::map<std::string, std::shared_ptr<const Model>> TraceTest::models_;
std::unique_ptr<test::TempDir> TraceTest::temp_;

void expect_same(const Trace& trace, const SentenceResult& result) {
  test::expect_same({trace.extractions, {}, {}}, result);
}

// The tags of the words, by those of their pieces.
std::string word_tags(const Trace& trace, const std::string& tags) {
  std::string words;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (i == 0 || trace.pieces[i].word != trace.pieces[i - 1].word)
      words += tags[i];
    else
      EXPECT_EQ(tags[i], words.back()) << "a piece without its word";
  }
  return words;
}

std::string all(char letter, const Trace& trace) {
  return std::string(trace.pieces.size(), letter);
}

// What holds of every trace, but for where its trajectories begin.
void expect_sound(const Trace& trace, std::string_view sentence) {
  std::uint32_t word = 0;
  for (const Trace::Piece& piece : trace.pieces) {
    EXPECT_FALSE(piece.text.empty());
    EXPECT_TRUE(piece.word == word || piece.word == word + 1);
    word = piece.word;
    EXPECT_EQ(piece.implied, piece.bytes.end == 0);
    EXPECT_LE(piece.bytes.end, sentence.size());
  }
  double weights = 0;
  std::set<std::string> seen;
  double last_weight = 1;
  for (const Trace::Trajectory& each : trace.trajectories) {
    EXPECT_TRUE(seen.insert(each.tags).second);
    EXPECT_GT(each.weight, 0);
    EXPECT_LE(each.weight, last_weight);
    last_weight = each.weight;
    weights += each.weight;
    ASSERT_GE(each.steps.size(), 2u);
    EXPECT_EQ(each.steps.back().time, 0);
    EXPECT_EQ(each.steps.back().state, each.tags);
    EXPECT_TRUE(each.steps.back().probabilities.empty());
    for (std::size_t i = 0; i + 1 < each.steps.size(); ++i) {
      const Trace::Step& step = each.steps[i];
      EXPECT_GT(step.time, 0);
      EXPECT_EQ(step.state.size(), trace.pieces.size());
      ASSERT_EQ(step.probabilities.size(), trace.pieces.size());
      for (const auto& of_piece : step.probabilities)
        EXPECT_NEAR(std::accumulate(of_piece.begin(), of_piece.end(), 0.0), 1, 1e-6);
    }
  }
  EXPECT_LE(weights, 1 + 1e-9);
  double masses = 0;
  for (const Trace::Cluster& each : trace.clusters) {
    EXPECT_GT(each.members, 0u);
    EXPECT_FALSE(each.triple.subject.empty());
    masses += each.mass;
  }
  EXPECT_LE(masses, 1 + 1e-9);
}

TEST_P(TraceTest, HasTheTagsAndTriplesOfTheEngine) {
  for (const Rule rule : {Rule::kLongest, Rule::kAllRuns}) {
    Settings changed = settings();
    changed.rule = rule;
    const Trace trace = diffie::trace(model(), changed, kSentence, kAll);
    EXPECT_EQ(trace.kernel, GetParam());
    EXPECT_EQ(trace.num_steps, 16);
    EXPECT_FALSE(trace.is_cut);
    expect_sound(trace, kSentence);
    expect_same(trace, Extractor(model(), changed).extract(kSentence));
    ASSERT_FALSE(trace.extractions.empty());

    engine::Engine engine(engine::ModelParts::of(*model()), changed);
    engine::CountedTags expected = engine.sample({&kSentence, 1}).front().tags;
    double unit = changed.samples;
    if (is_anchored()) {
      unit = diffusion::kWeightUnit;
      std::erase_if(expected, [](const auto& tags) {  // what the weights lack
        return tags.first.find_first_not_of('B') == std::string::npos;
      });
    }
    ASSERT_EQ(trace.trajectories.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(word_tags(trace, trace.trajectories[i].tags), expected[i].first);
      EXPECT_EQ(trace.trajectories[i].weight, expected[i].second / unit);
    }
  }
}

TEST_P(TraceTest, PiecesQuoteTheSentence) {
  const Trace trace = diffie::trace(model(), settings(), kSentence, 0);
  EXPECT_TRUE(trace.trajectories.empty());
  const auto quoted = [&](const Span& bytes) {
    return kSentence.substr(bytes.begin, bytes.end - bytes.begin);
  };
  EXPECT_EQ(trace.pieces.at(0).text, "the");
  EXPECT_EQ(quoted(trace.pieces[0].bytes), "The");
  std::string of_word;
  std::set<std::string> implied;
  for (const Trace::Piece& piece : trace.pieces) {
    if (piece.word == 6) of_word += quoted(piece.bytes);
    if (piece.text == "cafe") {
      EXPECT_EQ(quoted(piece.bytes), "Café");
    }
    if (piece.implied) implied.insert(piece.text);
  }
  EXPECT_EQ(of_word, "electroencephalographers");
  EXPECT_EQ(implied, (std::set<std::string>{"is", "of"}));
}

TEST_P(TraceTest, BeginsWithNothingOrWithNoise) {
  const Trace trace = diffie::trace(model(), settings(), kSentence, kAll);
  std::set<std::string> first;
  for (const Trace::Trajectory& each : trace.trajectories) {
    EXPECT_EQ(each.steps.front().time, 16);
    first.insert(each.steps.front().state);
    if (!is_anchored()) {
      std::vector<std::int32_t> times;
      for (const Trace::Step& step : each.steps) times.push_back(step.time);
      EXPECT_EQ(times, (std::vector<std::int32_t>{16, 12, 8, 4, 0}));
    }
  }
  if (GetParam() != std::string_view("uniform")) {
    EXPECT_EQ(first, std::set<std::string>{all('_', trace)});
    return;
  }
  EXPECT_EQ(first.size(), trace.trajectories.size()) << "each has its own noise";
  for (const std::string& state : first)
    EXPECT_EQ(state.find_first_not_of("BSRO"), std::string::npos);
}

// Relation, subject, object: what is revealed stays and is the end's; the four questions that are
// always asked are there.
TEST_P(TraceTest, AnchoredStepsRevealTheTags) {
  if (!is_anchored()) GTEST_SKIP();
  const Trace trace = diffie::trace(model(), settings(), kSentence, kAll);
  ASSERT_FALSE(trace.trajectories.empty());
  for (const Trace::Trajectory& each : trace.trajectories) {
    std::string before = all('_', trace);
    std::map<std::int32_t, std::string> roles;  // revealed, by stage
    for (const Trace::Step& step : each.steps) {
      for (std::size_t piece = 0; piece < before.size(); ++piece) {
        EXPECT_TRUE(before[piece] == '_' || step.state[piece] == before[piece]);
        if (step.state[piece] == '_') continue;
        EXPECT_EQ(step.state[piece], each.tags[piece]);
        roles[step.time] += step.state[piece];
      }
      before = step.state;
      roles[step.time];
    }
    const auto count = [&](char role) {
      return std::count(each.tags.begin(), each.tags.end(), role);
    };
    for (const std::int32_t stage : {16, 15, 12, 10}) EXPECT_TRUE(roles.contains(stage));
    EXPECT_EQ(roles[16], "");
    EXPECT_EQ(roles[15], "R");
    EXPECT_EQ(roles[12], std::string(static_cast<std::size_t>(count('R')), 'R'));
    EXPECT_EQ(std::count(roles[10].begin(), roles[10].end(), 'S'), count('S'));
    EXPECT_EQ(static_cast<std::ptrdiff_t>(roles[10].size()), count('R') + count('S'));
  }
}

// The states that the sampler begins with; says nothing of them.
class FirstStates : public diffusion::RowPredictor {
 public:
  std::set<std::string> seen;

 protected:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    std::fill(logits.begin(), logits.end(), 0.0f);
    for (std::size_t row = 0; step == 16 && row < rows; ++row) {
      std::string& letters = first_.emplace_back();
      for (const std::uint8_t state : states.subspan(row * length, length))
        letters += "BSRO_"[state];
    }
    seen = {first_.begin(), first_.end()};
  }

 private:
  std::vector<std::string> first_;
};

TEST_P(TraceTest, NoiseIsTheSamplersOwn) {
  if (is_anchored()) GTEST_SKIP();
  const Trace trace = diffie::trace(model(), settings(), kSentence, kAll);
  const diffusion::Sampler sampler(engine::ModelParts::of(*model()).config.diffusion, settings());
  const std::size_t length = trace.pieces.size();
  std::vector<std::uint8_t> tags(static_cast<std::size_t>(settings().samples) * length);
  FirstStates first;
  diffusion::Prediction prediction;
  const diffusion::SampleBlock block{diffusion::sentence_key(settings().seed, kSentence), 0, length,
                                     tags};
  sampler.sample({&block, 1}, first, prediction);
  for (const Trace::Trajectory& each : trace.trajectories)
    EXPECT_TRUE(first.seen.contains(each.steps.front().state));
}

// Where next to no chance is left, the last prediction says what comes out of it.
TEST_P(TraceTest, SampledStepsLeadToTheTags) {
  if (is_anchored()) GTEST_SKIP();
  Settings sure = settings();
  sure.temperature = 1e-9;
  const Trace trace = diffie::trace(model(), sure, kSentence, kAll);
  for (const Trace::Trajectory& each : trace.trajectories) {
    const Trace::Step& last = each.steps.at(each.steps.size() - 2);
    std::map<std::uint32_t, std::set<char>> drawn;  // by word
    for (std::size_t piece = 0; piece < trace.pieces.size(); ++piece) {
      const auto& of_piece = last.probabilities[piece];
      const bool stays = GetParam() == std::string_view("absorbing") && last.state[piece] != '_';
      const auto top = std::max_element(of_piece.begin(), of_piece.end()) - of_piece.begin();
      drawn[trace.pieces[piece].word].insert(stays ? last.state[piece] : "BSRO"[top]);
    }
    for (std::size_t piece = 0; piece < trace.pieces.size(); ++piece) {
      const std::set<char>& of_word = drawn[trace.pieces[piece].word];
      const bool has_role =
          of_word.size() == 1 && (!trace.pieces[piece].implied || of_word.contains('R'));
      EXPECT_EQ(each.tags[piece], has_role ? *of_word.begin() : 'B');
    }
  }
}

TEST_P(TraceTest, SampledStepsDoNotDependOnHowManyAreShown) {
  if (is_anchored()) GTEST_SKIP();
  Settings shared = settings();
  shared.times = {16, 9, 4, 2};
  shared.shared = {16, 4, 2, 1};
  shared.stratified = true;
  for (const Settings& each : {settings(), shared}) {
    const Trace whole = diffie::trace(model(), each, kSentence, kAll);
    const Trace few = diffie::trace(model(), each, kSentence, 3);
    ASSERT_EQ(few.trajectories.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const Trace::Trajectory& a = whole.trajectories[i];
      const Trace::Trajectory& b = few.trajectories[i];
      EXPECT_EQ(a.tags, b.tags);
      ASSERT_EQ(a.steps.size(), b.steps.size());
      for (std::size_t step = 0; step < a.steps.size(); ++step) {
        EXPECT_EQ(a.steps[step].state, b.steps[step].state);
        EXPECT_EQ(a.steps[step].probabilities, b.steps[step].probabilities);
      }
    }
    EXPECT_EQ(few.clusters.size(), whole.clusters.size());
  }
}

// With the selector that the clusters are of, they are its choices.
TEST_P(TraceTest, ClustersAreThoseOfTheLenientSelector) {
  Settings lenient = settings();
  lenient.selector = SelectorKind::kLenient;
  lenient.top_k = 2;
  lenient.min_confidence = 0;
  const Trace trace = diffie::trace(model(), lenient, kSentence);
  ASSERT_GT(trace.clusters.size(), 2u);
  ASSERT_EQ(trace.extractions.size(), 2u);
  for (std::size_t i = 0; i < trace.clusters.size(); ++i) {
    const Trace::Cluster& cluster = trace.clusters[i];
    EXPECT_EQ(cluster.confidence.has_value(), i < 2);
    if (i >= 2) continue;
    const Extraction& chosen = trace.extractions[i];
    EXPECT_EQ(cluster.confidence, chosen.confidence);
    EXPECT_EQ(cluster.mass, chosen.confidence);
    EXPECT_EQ(cluster.triple.subject, chosen.subject);
    EXPECT_EQ(cluster.triple.relation, chosen.relation);
    EXPECT_EQ(cluster.triple.object, chosen.object);
  }
}

TEST_P(TraceTest, TellsOfTheFirstPassageWhereASentenceIsTooLong) {
  std::string text;
  for (int word = 0; word < 700; ++word) text += "word" + std::to_string(word % 10) + " ";
  Settings quick = settings();
  quick.samples = 4;
  quick.theta = 0.01;
  const Trace trace = diffie::trace(model(), quick, text, 2);
  EXPECT_TRUE(trace.is_cut);
  EXPECT_EQ(trace.pieces.size(), 510u);
  expect_sound(trace, text);
}

TEST_P(TraceTest, OfNothingThereIsNothing) {
  for (const std::string_view sentence : {"", " \n"}) {
    const Trace trace = diffie::trace(model(), settings(), sentence);
    EXPECT_EQ(trace.kernel, GetParam());
    EXPECT_TRUE(trace.pieces.empty());
    EXPECT_TRUE(trace.trajectories.empty());
    EXPECT_TRUE(trace.clusters.empty());
    EXPECT_TRUE(trace.extractions.empty());
  }
}

TEST_P(TraceTest, PretokenizedWordsAreQuotedAsTheyStand) {
  Settings words = settings();
  words.pretokenized = true;
  const std::string_view text = "Ada -LRB- wrote programs -RRB- .";
  const Trace trace = diffie::trace(model(), words, text);
  EXPECT_EQ(trace.pieces.at(1).text, "(");
  EXPECT_EQ(trace.pieces[1].bytes, (Span{4, 9}));
  expect_same(trace, Extractor(model(), words).extract(text));
}

TEST_P(TraceTest, RefusesWhatTheExtractorRefuses) {
  Settings wrong = settings();
  wrong.steps = 17;
  EXPECT_ERROR(trace(model(), wrong, kSentence), ErrorCode::kInvalidArgument, "steps is 17");
  wrong = settings();
  wrong.threads = -1;
  EXPECT_ERROR(trace(model(), wrong, kSentence), ErrorCode::kInvalidArgument, "threads");
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_ERROR(trace(model(), settings(), kSentence, 8, stopped.get_token()), ErrorCode::kCancelled,
               "stopped");
}

INSTANTIATE_TEST_SUITE_P(Kernels, TraceTest, testing::Values("anchored", "uniform", "absorbing"),
                         [](const auto& kernel) { return std::string(kernel.param); });

TEST(TraceOfTheShippedModel, ShowsHowAFactIsFound) {
  const auto model = Model::load(DIFFIE_SOURCE_DIR "/models/small");
  const std::string_view sentence = "Marie Curie discovered polonium in 1898.";
  const Trace trace = diffie::trace(model, model->settings(), sentence);
  expect_sound(trace, sentence);
  expect_same(trace, Extractor(model).extract(sentence));
  EXPECT_EQ(trace.kernel, "anchored");

  // The word that the relation is found by.
  const Trace::Step& first = trace.trajectories.at(0).steps.front();
  const Trace::Step& second = trace.trajectories[0].steps.at(1);
  std::size_t verb = 0;
  while (trace.pieces.at(verb).text != "discovered") ++verb;
  EXPECT_GT(first.probabilities[verb][2], 0.5);
  EXPECT_EQ(second.time, 15);
  EXPECT_EQ(second.state.find_first_not_of('_'), verb);

  const auto is_the_fact = [](const Trace::Triple& triple) {
    return triple.subject == "Marie Curie" && triple.relation == "discovered" &&
           triple.object == "polonium";
  };
  int found = 0;
  for (const Trace::Trajectory& each : trace.trajectories)
    found += each.triple && is_the_fact(*each.triple);
  EXPECT_GT(found, 0);
  // Every chosen triple is that of a cluster, with its confidence.
  for (const Extraction& chosen : trace.extractions) {
    const auto is_it = [&](const Trace::Cluster& cluster) {
      return cluster.confidence == chosen.confidence && cluster.triple.subject == chosen.subject &&
             cluster.triple.relation == chosen.relation && cluster.triple.object == chosen.object;
    };
    EXPECT_TRUE(std::any_of(trace.clusters.begin(), trace.clusters.end(), is_it)) << chosen.object;
  }
}

}  // namespace
}  // namespace diffie
