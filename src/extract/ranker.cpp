#include "extract/ranker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/printable.h"
#include "diffie/error.h"
#include "extract/feature_schema.h"
#include "files/read_file.h"
#include "files/strict_json.h"

namespace diffie::extract {
namespace {

using nlohmann::json;

// 1 names no schema: all such rankers are of schema 1; 3 names a walk. A ranker is written as the
// lowest that can say it, 2 at least.
constexpr std::int32_t kVersion = 3;
constexpr std::array<std::string_view, 2> kWalks = {"coverage", "judged"};
constexpr std::size_t kMaxFileBytes = 4 << 20;
constexpr std::size_t kMaxTrees = 10'000;
constexpr std::int32_t kMaxDepth = 8;
constexpr std::size_t kMaxKnots = 4096;

[[noreturn]] void corrupt(std::string_view where, const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
}

[[noreturn]] void unsupported(std::string_view where, std::string_view what, std::int32_t found,
                              std::int32_t wanted) {
  throw Error(ErrorCode::kUnsupported,
              fmt::format("{}: {} {}, this program reads up to {}", where, what, found, wanted));
}

// The first ones of schema 1: rankers from before there were implied words do not know the features
// that speak of them.
constexpr std::size_t kFewestFeatures = 86;

const FeatureSchema& read_schema(files::JsonObject& object, std::int32_t version,
                                 std::string_view where) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int32_t number =
      version == 1 ? 1 : object.int32("schema", Limits::min(), Limits::max());
  const FeatureSchema* schema = find_schema(number);
  if (schema == nullptr) unsupported(where, "schema", number, kFeatureSchemas.back().number);
  return *schema;
}

void check_features(const std::vector<std::string>& names, const FeatureSchema& schema,
                    std::string_view where) {
  for (std::size_t i = 0; i < std::min(names.size(), schema.num_features); ++i) {
    if (names[i] == kFeatureNames[i]) continue;
    corrupt(where, fmt::format("feature {} is '{}', wanted '{}'", i, base::printable(names[i]),
                               kFeatureNames[i]));
  }
  const std::size_t fewest = schema.number == 1 ? kFewestFeatures : schema.num_features;
  if (names.size() < fewest || names.size() > schema.num_features)
    corrupt(where, fmt::format("{} features, wanted {}", names.size(), schema.num_features));
}

// A list of finite numbers of the wanted size.
std::vector<double> numbers(const json& object, const char* key, std::size_t size,
                            const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array())
    corrupt(where, fmt::format("{}: no list of numbers", key));
  if (found->size() != size)
    corrupt(where, fmt::format("{}: {} values, wanted {}", key, found->size(), size));
  std::vector<double> values;
  values.reserve(size);
  for (const json& value : *found) {
    if (!value.is_number()) corrupt(where, fmt::format("{}: a value is no number", key));
    values.push_back(value.get<double>());
    if (!(std::abs(values.back()) <= std::numeric_limits<float>::max()))
      corrupt(where, fmt::format("{}: a value does not fit a float", key));
  }
  return values;
}

TreeEnsemble read_trees(const json& root, const char* key, std::size_t num_features,
                        std::string_view file) {
  const std::string where = fmt::format("{}: {}", file, key);
  const auto found = root.find(key);
  if (found == root.end()) corrupt(file, fmt::format("{} is missing", key));
  files::JsonObject object(*found, file, key);
  TreeEnsemble trees;
  trees.depth = static_cast<std::size_t>(object.int32("depth", 1, kMaxDepth));
  trees.base = object.number("base", -1e6, 1e6);
  const auto count =
      static_cast<std::size_t>(object.integer("trees", 0, static_cast<std::int64_t>(kMaxTrees)));
  for (const std::string& name : object.keys()) {
    if (name != "depth" && name != "base" && name != "trees" && name != "features" &&
        name != "thresholds" && name != "leaves")
      object.fail(name, "unknown key");
  }
  for (const double feature : numbers(*found, "features", count * trees.num_inner(), where)) {
    if (!(feature >= 0 && feature < static_cast<double>(num_features)) ||
        feature != std::floor(feature))
      corrupt(where, fmt::format("feature {}, wanted 0..{}", feature, num_features - 1));
    trees.features.push_back(static_cast<std::uint16_t>(feature));
  }
  for (const double value : numbers(*found, "thresholds", count * trees.num_inner(), where))
    trees.thresholds.push_back(static_cast<float>(value));
  for (const double value : numbers(*found, "leaves", count * (trees.num_inner() + 1), where))
    trees.leaves.push_back(static_cast<float>(value));
  return trees;
}

Calibration read_calibration(const json& root, std::string_view file) {
  const std::string where = fmt::format("{}: calibration", file);
  const auto found = root.find("calibration");
  if (found == root.end() || !found->is_object()) corrupt(where, "no object");
  const auto scores = found->find("scores");
  const std::size_t size =
      scores != found->end() && scores->is_array() ? scores->size() : std::size_t{0};
  if (size < 1 || size > kMaxKnots || found->size() != 2)
    corrupt(where, fmt::format("wanted 1..{} scores and as many probabilities", kMaxKnots));
  const std::vector<double> xs = numbers(*found, "scores", size, where);
  const std::vector<double> ys = numbers(*found, "probabilities", size, where);
  std::vector<Calibration::Knot> knots;
  for (std::size_t i = 0; i < size; ++i) {
    if (ys[i] < 0 || ys[i] > 1) corrupt(where, fmt::format("probability {}", ys[i]));
    if (i > 0 && !(xs[i] > xs[i - 1] && ys[i] >= ys[i - 1]))
      corrupt(where, fmt::format("knot {} does not rise", i));
    knots.push_back({xs[i], ys[i]});
  }
  return Calibration(std::move(knots));
}

nlohmann::ordered_json trees_json(const TreeEnsemble& trees) {
  return {{"depth", trees.depth},           {"base", trees.base},
          {"trees", trees.num_trees()},     {"features", trees.features},
          {"thresholds", trees.thresholds}, {"leaves", trees.leaves}};
}

}  // namespace

double Calibration::operator()(double score) const {
  const auto above =
      std::upper_bound(knots_.begin(), knots_.end(), score,
                       [](double value, const Knot& knot) { return value < knot.score; });
  if (above == knots_.begin()) return knots_.front().probability;
  if (above == knots_.end()) return knots_.back().probability;
  const Knot& low = *(above - 1);
  const double part = (score - low.score) / (above->score - low.score);
  return low.probability + part * (above->probability - low.probability);
}

std::vector<double> Ranker::confidences(std::span<const float* const> rows) const {
  std::vector<double> values(rows.size());
  worth.predict(rows, values);
  for (double& value : values) value = calibration(value);
  return values;
}

std::string_view name_of(Walk walk) { return kWalks[static_cast<std::size_t>(walk)]; }

std::optional<Walk> walk_from_name(std::string_view name) {
  const auto found = std::find(kWalks.begin(), kWalks.end(), name);
  if (found == kWalks.end()) return std::nullopt;
  return static_cast<Walk>(found - kWalks.begin());
}

Ranker parse_ranker(std::string_view text, std::string_view where) {
  json root = files::parse_strict_json(text, where, {.max_depth = 3, .max_values = 500'000});
  const files::TakesApart at_the_end(root);
  files::JsonObject object(root, where);
  if (object.string("format", 64) != "diffie-ranker") object.fail("format", "not a ranker");
  const std::int32_t version = object.int32("version", 1, 1'000'000);
  if (version > kVersion) unsupported(where, "version", version, kVersion);
  const FeatureSchema& schema = read_schema(object, version, where);
  for (const std::string& key : object.keys()) {
    if (key != "format" && key != "version" && key != "features" && key != "wording" &&
        key != "worth" && key != "calibration" && (key != "schema" || version == 1) &&
        (key != "walk" || version < 3))
      object.fail(key, "unknown key");
  }
  const std::vector<std::string> names = object.strings("features", 4096, 64);
  check_features(names, schema, where);
  Ranker ranker;
  ranker.schema = schema.number;
  if (version >= 3) ranker.walk = static_cast<Walk>(object.one_of("walk", kWalks));
  ranker.wording = read_trees(root, "wording", names.size(), where);
  ranker.worth = read_trees(root, "worth", names.size(), where);
  ranker.calibration = read_calibration(root, where);
  return ranker;
}

Ranker read_ranker(const std::filesystem::path& path) {
  return parse_ranker(files::read_small_file(path, kMaxFileBytes), path.string());
}

std::string to_json(const Ranker& ranker) {
  const FeatureSchema* schema = find_schema(ranker.schema);
  DIFFIE_ASSERT(schema != nullptr);
  const bool names_walk = ranker.walk != Walk::kCoverage;
  nlohmann::ordered_json root = {
      {"format", "diffie-ranker"}, {"version", names_walk ? 3 : 2}, {"schema", schema->number}};
  if (names_walk) root["walk"] = name_of(ranker.walk);
  for (const std::string_view name : std::span(kFeatureNames).first(schema->num_features))
    root["features"].push_back(name);
  root["wording"] = trees_json(ranker.wording);
  root["worth"] = trees_json(ranker.worth);
  auto& calibration = root["calibration"];
  for (const Calibration::Knot& knot : ranker.calibration.knots()) {
    calibration["scores"].push_back(knot.score);
    calibration["probabilities"].push_back(knot.probability);
  }
  return root.dump() + "\n";
}

}  // namespace diffie::extract
