#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "expect_error.h"
#include "extract/rankers.h"
#include "temp_dir.h"

namespace diffie::extract {
namespace {

using nlohmann::json;

// The valid file, with one thing changed.
std::string broken(const std::function<void(json&)>& change) {
  json root = json::parse(to_json(plain_ranker()));
  change(root);
  return root.dump();
}

void expect_refused(const std::function<void(json&)>& change, const char* fragment) {
  EXPECT_ERROR(parse_ranker(broken(change), "ranker.json"), ErrorCode::kCorruptModel, fragment);
}

TEST(RankerFile, ComesBackAsItWas) {
  Ranker ranker = plain_ranker();
  ranker.worth.base = -0.1;
  ranker.worth.thresholds[3] = 0.1f;  // no short decimal
  ranker.wording.thresholds[0] = std::numeric_limits<float>::max();
  const std::string text = to_json(ranker);
  const Ranker read = parse_ranker(text, "ranker.json");
  EXPECT_EQ(read.worth.thresholds, ranker.worth.thresholds);
  EXPECT_EQ(read.worth.features, ranker.worth.features);
  EXPECT_EQ(read.worth.leaves, ranker.worth.leaves);
  EXPECT_EQ(read.worth.base, ranker.worth.base);
  EXPECT_EQ(read.wording.thresholds, ranker.wording.thresholds);
  EXPECT_EQ(to_json(read), text);
}

TEST(RankerFile, NamesWhatIsWrong) {
  expect_refused([](json& root) { root["format"] = "diffie-model"; }, "format");
  expect_refused([](json& root) { root["version"] = 0; }, "version");
  expect_refused([](json& root) { root.erase("worth"); }, "worth is missing");
  expect_refused([](json& root) { root["wordings"] = 1; }, "wordings");
  expect_refused([](json& root) { root["features"][2] = "mass_3"; }, "feature 2 is 'mass_3'");
  const auto without_last = [](json& root, std::size_t count) {
    json& names = root["features"];
    names.erase(names.end() - static_cast<std::ptrdiff_t>(count), names.end());
  };
  expect_refused([&](json& root) { without_last(root, 3); }, "features, wanted");
  expect_refused([](json& root) { root["features"].push_back("judged"); }, "89 features");
  expect_refused([](json& root) { root["worth"] = 3; }, "worth");
  expect_refused([](json& root) { root["worth"]["depth"] = 0; }, "depth");
  expect_refused([](json& root) { root["worth"]["depth"] = 9; }, "depth");
  expect_refused([](json& root) { root["worth"]["depth"] = 2; }, "features: 64 values, wanted 192");
  expect_refused([](json& root) { root["worth"]["trees"] = 63; }, "features: 64 values, wanted 63");
  expect_refused([](json& root) { root["worth"]["trees"] = 1ull << 62; }, "trees");
  expect_refused([](json& root) { root["worth"]["trees"] = -1; }, "trees");
  expect_refused([](json& root) { root["worth"]["base"] = "0"; }, "base");
  expect_refused([](json& root) { root["worth"]["leafs"] = 1; }, "leafs");
  expect_refused([](json& root) { root["worth"]["features"][5] = 88; }, "feature 88, wanted");
  expect_refused([](json& root) { root["worth"]["features"][5] = -1; }, "feature");
  expect_refused([](json& root) { root["worth"]["features"][5] = 1.5; }, "feature");
  expect_refused([](json& root) { root["worth"]["thresholds"][5] = 1e300; }, "thresholds");
  expect_refused([](json& root) { root["worth"]["leaves"][5] = nullptr; }, "leaves");
  expect_refused([](json& root) { root["worth"]["leaves"].push_back(0); }, "leaves: 129 values");
}

TEST(RankerFile, FeaturesStandInTheirOrder) {
  expect_refused([](json& root) { std::swap(root["features"][0], root["features"][1]); },
                 "feature 0 is 'mass_1', wanted 'share'");
  const auto swap_last = [](json& root) { std::swap(root["features"][86], root["features"][87]); };
  expect_refused(swap_last, "feature 86 is 'said_r', wanted 'implied_r'");
  expect_refused([](json& root) { root["features"][40] = "first_x"; },
                 "feature 40 is 'first_x', wanted 'first_s'");
}

TEST(RankerFile, SaysItsSchema) {
  const json root = json::parse(to_json(plain_ranker()));
  EXPECT_EQ(root["version"], 2);
  EXPECT_EQ(root["schema"], 1);
}

TEST(RankerFile, OfSchema2HasAllItsFeatures) {
  Ranker ranker = plain_ranker();
  ranker.schema = 2;
  ranker.worth = staircase("judge_exact", 64);
  const std::string text = to_json(ranker);
  EXPECT_EQ(json::parse(text)["schema"], 2);
  EXPECT_EQ(json::parse(text)["features"].size(), 106u);
  const Ranker read = parse_ranker(text, "ranker.json");
  EXPECT_EQ(read.schema, 2);
  EXPECT_EQ(to_json(read), text);
  json fewer = json::parse(text);
  fewer["features"].erase(105);
  EXPECT_ERROR(parse_ranker(fewer.dump(), "ranker.json"), ErrorCode::kCorruptModel,
               "105 features, wanted 106");
  json as_1 = json::parse(text);
  as_1["schema"] = 1;
  EXPECT_ERROR(parse_ranker(as_1.dump(), "ranker.json"), ErrorCode::kCorruptModel,
               "106 features, wanted 88");
}

TEST(RankerFile, SaysAnotherWalkSinceVersion3) {
  Ranker ranker = plain_ranker();
  ranker.walk = Walk::kJudged;
  const std::string text = to_json(ranker);
  EXPECT_EQ(json::parse(text)["version"], 3);
  EXPECT_EQ(json::parse(text)["walk"], "judged");
  EXPECT_EQ(parse_ranker(text, "ranker.json").walk, Walk::kJudged);
  const auto with = [&](const char* key, const json& value) {
    json root = json::parse(text);
    root[key] = value;
    return root.dump();
  };
  EXPECT_EQ(parse_ranker(with("walk", "coverage"), "r").walk, Walk::kCoverage);
  EXPECT_ERROR(parse_ranker(with("walk", "random"), "r"), ErrorCode::kCorruptModel, "walk");
  EXPECT_ERROR(parse_ranker(with("version", 2), "r"), ErrorCode::kCorruptModel,
               "walk: unknown key");
}

TEST(RankerFile, AnotherSchemaIsUnsupported) {
  for (const int schema : {-1, 0, 3, 2147483647}) {
    EXPECT_ERROR(parse_ranker(broken([=](json& root) { root["schema"] = schema; }), "ranker.json"),
                 ErrorCode::kUnsupported,
                 fmt::format("ranker.json: schema {}, this program reads up to 2", schema));
  }
  expect_refused([](json& root) { root["schema"] = "1"; }, "schema");
  expect_refused([](json& root) { root["schema"] = 1.5; }, "schema");
  expect_refused([](json& root) { root.erase("schema"); }, "schema");
}

TEST(RankerFile, Version1IsOfSchema1) {
  const auto version_1 = [](json& root) {
    root["version"] = 1;
    root.erase("schema");
  };
  const Ranker ranker = parse_ranker(broken(version_1), "ranker.json");
  EXPECT_EQ(to_json(ranker), to_json(plain_ranker()));
  expect_refused([](json& root) { root["version"] = 1; }, "schema: unknown key");
  for (const char* model : {"small", "base"}) {
    const std::string path = fmt::format("{}/models/{}/ranker.json", DIFFIE_SOURCE_DIR, model);
    EXPECT_EQ(read_ranker(path).worth.num_trees(), 150u) << path;
  }
}

TEST(RankerFile, MayBeFromBeforeThereWereImpliedWords) {
  const auto older = [](json& root) {
    root["version"] = 1;
    root.erase("schema");
    root["features"].erase(86);
    root["features"].erase(86);
  };
  EXPECT_EQ(to_json(parse_ranker(broken(older), "ranker.json")), to_json(plain_ranker()));
  const auto beyond_its_own = [&](json& root) {
    older(root);
    root["worth"]["features"][5] = 86;
  };
  expect_refused(beyond_its_own, "feature 86, wanted 0..85");
}

TEST(RankerFile, CalibrationMustRise) {
  const auto calibration = [](json scores, json probabilities) {
    return [=](json& root) {
      root["calibration"] = {{"scores", scores}, {"probabilities", probabilities}};
    };
  };
  expect_refused(calibration({0, 0}, {0.1, 0.2}), "knot 1 does not rise");
  expect_refused(calibration({0, 1}, {0.2, 0.1}), "knot 1 does not rise");
  expect_refused(calibration({0, 1}, {-0.1, 0.1}), "probability -0.1");
  expect_refused(calibration({0, 1}, {0.1, 1.1}), "probability 1.1");
  expect_refused(calibration({0, 1}, {0.1}), "probabilities: 1 values, wanted 2");
  expect_refused(calibration(json::array(), json::array()), "calibration");
  expect_refused([](json& root) { root.erase("calibration"); }, "calibration");
}

TEST(RankerFile, LimitsAreInsideWhatIsRead) {
  const auto read = [](const std::function<void(json&)>& change) {
    return parse_ranker(broken(change), "ranker.json");
  };
  const auto trees_of = [](int depth, int count) {
    const int inner = (1 << depth) - 1;
    return json{{"depth", depth},
                {"base", 0},
                {"trees", count},
                {"features", std::vector<int>(count * inner, 87)},
                {"thresholds", std::vector<float>(count * inner, 0)},
                {"leaves", std::vector<float>(count * (inner + 1), 0)}};
  };
  EXPECT_EQ(read([&](json& root) { root["worth"] = trees_of(8, 2); }).worth.num_trees(), 2u);
  EXPECT_EQ(read([&](json& root) { root["worth"] = trees_of(1, 0); }).worth.num_trees(), 0u);
  EXPECT_EQ(read([&](json& root) { root["worth"] = trees_of(1, 10'000); }).worth.num_trees(),
            10'000u);
  expect_refused([&](json& root) { root["worth"] = trees_of(1, 10'001); }, "trees");
  for (const double base : {-1e6, 1e6})
    EXPECT_EQ(read([&](json& root) { root["worth"]["base"] = base; }).worth.base, base);
  for (const double base : {-1e6 - 1, 1e6 + 1})
    expect_refused([&](json& root) { root["worth"]["base"] = base; }, "base");
  EXPECT_EQ(read([](json& root) { root["worth"]["features"][5] = 0; }).worth.features[5], 0);
  EXPECT_EQ(read([](json& root) { root["worth"]["features"][5] = 87; }).worth.features[5], 87);
  const auto knots = [](std::size_t count) {
    std::vector<std::size_t> scores(count);
    std::iota(scores.begin(), scores.end(), std::size_t{0});
    return json{{"scores", scores}, {"probabilities", std::vector<double>(count, 0.5)}};
  };
  for (const std::size_t count : {std::size_t{1}, std::size_t{4096}}) {
    const Ranker ranker = read([&](json& root) { root["calibration"] = knots(count); });
    EXPECT_EQ(ranker.calibration.knots().size(), count);
  }
  expect_refused([&](json& root) { root["calibration"] = knots(4097); }, "wanted 1..4096 scores");
}

TEST(RankerFile, ListsAreLists) {
  expect_refused([](json& root) { root["calibration"]["scores"] = 1; }, "wanted 1..4096 scores");
  expect_refused([](json& root) { root["calibration"].erase("scores"); }, "wanted 1..4096 scores");
  expect_refused([](json& root) { root["calibration"]["more"] = 1; }, "wanted 1..4096 scores");
  expect_refused([](json& root) { root["calibration"] = 1; }, "no object");
  expect_refused([](json& root) { root["worth"]["leaves"] = 1; }, "leaves: no list of numbers");
  expect_refused([](json& root) { root["worth"].erase("leaves"); }, "leaves: no list of numbers");
  expect_refused([](json& root) { root["worth"]["thresholds"][5] = -1e300; },
                 "does not fit a float");
  for (const char* key : {"depth", "base", "trees", "features", "thresholds", "leaves"})
    expect_refused([&](json& root) { root["worth"].erase(key); }, key);
}

TEST(RankerFile, TheEndsOfProbabilityAreProbabilities) {
  const auto ends = [](json& root) {
    root["calibration"] = {{"scores", {0, 1, 2}}, {"probabilities", {0, 0, 1}}};
  };
  const Ranker ranker = parse_ranker(broken(ends), "ranker.json");
  EXPECT_EQ(ranker.calibration(1.5), 0.5);
}

TEST(RankerFile, WalksAreReadBack) {
  for (const Walk walk : {Walk::kCoverage, Walk::kJudged})
    EXPECT_EQ(walk_from_name(name_of(walk)), walk);
  EXPECT_EQ(name_of(Walk::kJudged), "judged");
  EXPECT_FALSE(walk_from_name("random"));
}

TEST(RankerFile, IsReadFromAFileOfAtMostFourMegabytes) {
  const test::TempDir temp;
  const std::string text = to_json(plain_ranker());
  test::write_file(temp / "ranker.json", text);
  EXPECT_EQ(to_json(read_ranker(temp / "ranker.json")), text);
  test::write_file(temp / "large.json", text + std::string(4 << 20, ' '));
  EXPECT_ERROR(read_ranker(temp / "large.json"), ErrorCode::kCorruptModel, "large.json");
}

TEST(RankerFile, ANewerVersionIsUnsupported) {
  EXPECT_ERROR(parse_ranker(broken([](json& root) { root["version"] = 4; }), "ranker.json"),
               ErrorCode::kUnsupported, "version 4, this program reads up to 3");
}

TEST(RankerFile, NoPrefixOfItIsARanker) {
  const std::string text = to_json(plain_ranker());
  for (std::size_t size = 0; size + 1 < text.size(); size += 7)
    EXPECT_ERROR(parse_ranker(text.substr(0, size), "r"), ErrorCode::kCorruptModel, "r");
}

TEST(RankerFile, SaysWhenThereIsNone) {
  const test::TempDir temp;
  EXPECT_ERROR(read_ranker(temp / "none.json"), ErrorCode::kNotFound, "none.json");
}

TEST(Calibration, IsStraightBetweenKnotsAndLevelOutside) {
  const Calibration calibration({{-1, 0.2}, {1, 0.4}, {2, 0.9}});
  EXPECT_DOUBLE_EQ(calibration(-5), 0.2);
  EXPECT_DOUBLE_EQ(calibration(-1), 0.2);
  EXPECT_DOUBLE_EQ(calibration(0), 0.3);
  EXPECT_DOUBLE_EQ(calibration(1.5), 0.65);
  EXPECT_DOUBLE_EQ(calibration(2), 0.9);
  EXPECT_DOUBLE_EQ(calibration(7), 0.9);
  EXPECT_DOUBLE_EQ(Calibration({{0, 0.5}})(3), 0.5);
}

TEST(TreeEnsemble, WalksEveryTreeToItsLeaf) {
  TreeEnsemble trees;
  trees.depth = 2;
  trees.base = 100;
  trees.features = {0, 1, 2, 3, 0, 0};
  trees.thresholds = {0.5f, 0.5f, 0.5f, std::numeric_limits<float>::max(), 0, 0};
  trees.leaves = {1, 2, 3, 4, 10, 20, 30, 40};
  EXPECT_EQ(trees.num_trees(), 2u);
  const auto predict = [&](float a, float b, float c) {
    const std::vector<float> row = {a, b, c, 1e30f};
    return trees.predict(row);
  };
  EXPECT_EQ(predict(0, 0, 0), 100 + 1 + 10);
  EXPECT_EQ(predict(0.5f, 1, 0), 100 + 2 + 20);  // at the threshold: left; above 0: right
  EXPECT_EQ(predict(1, 1, 0), 100 + 3 + 20);
  EXPECT_EQ(predict(1, 0, 1), 100 + 4 + 20);
}

// Node by node, one tree after the other.
double predicted(const TreeEnsemble& trees, std::span<const float> row) {
  double value = trees.base;
  for (std::size_t tree = 0; tree < trees.num_trees(); ++tree) {
    std::size_t node = 0;
    for (std::size_t level = 0; level < trees.depth; ++level) {
      const std::size_t at = tree * trees.num_inner() + node;
      node = 2 * node + (row[trees.features[at]] <= trees.thresholds[at] ? 1 : 2);
    }
    value += trees.leaves[tree * (trees.num_inner() + 1) + node - trees.num_inner()];
  }
  return value;
}

TEST(TreeEnsemble, AnyNumberOfTreesAndRows) {
  std::mt19937 random(5);
  const auto number = [&] { return static_cast<float>(random() % 64) / 8; };
  for (const std::size_t depth : {1u, 3u})
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 16u, 17u}) {
      TreeEnsemble trees;
      trees.depth = depth;
      trees.base = number();
      for (std::size_t i = 0; i < count * trees.num_inner(); ++i) {
        trees.features.push_back(static_cast<std::uint16_t>(random() % 5));
        trees.thresholds.push_back(number());
      }
      for (std::size_t i = 0; i < count << depth; ++i) trees.leaves.push_back(number());
      ASSERT_EQ(trees.num_trees(), count);
      std::vector<std::vector<float>> rows(6, std::vector<float>(5));
      std::vector<const float*> pointers;
      for (std::vector<float>& row : rows) {
        for (float& value : row) value = number();
        pointers.push_back(row.data());
      }
      std::vector<double> values(rows.size(), 77);
      trees.predict(pointers, values);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(values[i], predicted(trees, rows[i])) << depth << " " << count;
        EXPECT_EQ(trees.predict(rows[i]), values[i]);
      }
    }
}

}  // namespace
}  // namespace diffie::extract
