#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/printable.h"
#include "diffie/error.h"
#include "diffie/lab/score.h"
#include "extract/feature_schema.h"
#include "extract/ranker.h"
#include "lab/rank/boosting.h"
#include "lab/rank/calibrate.h"
#include "lab/rank/examples.h"
#include "lab/rank/measures.h"

namespace diffie {
namespace {

using namespace rank;

constexpr std::int32_t kEvaluatedTopK = 12;

template <typename Value>
void check(const char* field, Value value, Value low, Value high) {
  if (value >= low && value <= high) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is {}, must be from {} to {}", field, value, low, high));
}

std::vector<char> all_but(const std::vector<char>& folds, std::size_t fold) {
  std::vector<char> use;
  use.reserve(folds.size());
  for (const char own : folds) use.push_back(static_cast<std::size_t>(own) != fold ? 1 : 0);
  return use;
}

bool is_judged(std::span<const RankPool> pools) {
  for (const RankPool& pool : pools)
    for (const TagPool& sentence : pool.sentences)
      for (const TagCount& entry : sentence.tags)
        if (entry.is_judged()) return true;
  return false;
}

const extract::FeatureSchema& schema_for(std::span<const RankPool> pools,
                                         const RankOptions& options) {
  if (options.schema != 0) return *extract::find_schema(options.schema);
  return *extract::find_schema(is_judged(pools) ? 2 : 1);
}

class Trainer {
 public:
  Trainer(std::span<const RankPool> pools, std::span<const data::Row> gold,
          const RankOptions& options)
      : pools_(pools),
        options_(options),
        schema_(schema_for(pools, options)),
        walk_(extract::walk_from_name(options.walk).value()),
        bound_(10 + std::max(0.0, options.exact_bonus + options.recall_limit - 7)),
        threads_(options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                     : std::max(1U, std::thread::hardware_concurrency())),
        draws_(make_draws(pools, gold, options, threads_)) {
    if (draws_.empty()) throw Error(ErrorCode::kBadInput, "no sentence has both samples and gold");
    if (std::all_of(draws_.begin(), draws_.end(),
                    [](const Draw& draw) { return draw.candidates.candidates.empty(); })) {
      throw Error(ErrorCode::kBadInput, "no sample holds a triple");
    }
  }

  RankResult run() {
    RankResult result;
    result.schema = schema_.number;
    std::map<const data::Row*, int> sentences;
    for (const Draw& draw : draws_) sentences[draw.gold.get()] = 1;
    result.num_sentences = sentences.size();
    const Examples wordings = wording_examples(draws_, walk_, options_.seed, threads_);
    result.num_wordings = wordings.rows.size();
    const BinnedRows wording_rows(wordings.rows, schema_.num_features);
    std::vector<float> values;
    for (const Worth& worth : wordings.worths)
      values.push_back(
          static_cast<float>(worth.precision + worth.recall + options_.exactness * worth.exact));

    const auto folds = static_cast<std::size_t>(options_.folds);
    std::vector<extract::Ranker> by_fold(folds);
    std::vector<std::vector<Judged>> judged(folds);
    for (std::size_t fold = 0; fold < folds; ++fold) {
      by_fold[fold] = fit(wording_rows, values, wordings.folds, fold, result);
      judged[fold] = score_fold(by_fold[fold], fold);
    }
    evaluate(by_fold, judged, result);

    extract::Ranker ranker = fit(wording_rows, values, wordings.folds, folds, result);
    ranker.calibration = calibration_without(judged, folds);
    result.ranker = to_json(ranker);
    return result;
  }

 private:
  // Trains on all folds but one; on all where `fold` is none of them.
  extract::Ranker fit(const BinnedRows& wording_rows, const std::vector<float>& wording_values,
                      const std::vector<char>& wording_folds, std::size_t fold,
                      RankResult& result) {
    BoostOptions boosting;
    boosting.trees = static_cast<std::size_t>(options_.trees);
    boosting.depth = static_cast<std::size_t>(options_.depth);
    boosting.rate = options_.rate;
    boosting.seed = options_.seed;
    extract::Ranker ranker;
    ranker.schema = schema_.number;
    ranker.walk = walk_;
    ranker.wording =
        boost(wording_rows, wording_values, all_but(wording_folds, fold), boosting, threads_);
    const Examples shown = shown_examples(draws_, walk_, ranker.wording, threads_);
    result.num_facts = shown.rows.size();
    std::vector<float> values;
    for (const Worth& worth : shown.worths)
      values.push_back(static_cast<float>(worth.precision +
                                          std::min(worth.recall, options_.recall_limit) +
                                          options_.exact_bonus * worth.exact));
    ranker.worth = boost(BinnedRows(shown.rows, schema_.num_features), values,
                         all_but(shown.folds, fold), boosting, threads_);
    return ranker;
  }

  std::vector<Judged> score_fold(const extract::Ranker& ranker, std::size_t fold) {
    // Level: scores pass through, shifted into [0, 1] for the selector's sake.
    auto uncalibrated = std::make_shared<extract::Ranker>(ranker);
    uncalibrated->calibration = extract::Calibration({{-bound_, 0.0}, {bound_, 1.0}});
    const auto selector = learned(uncalibrated);
    std::vector<std::vector<JudgedTriple>> found(draws_.size());
    threads_.parallel_for(draws_.size(), [&](std::size_t, std::size_t index) {
      if (draws_[index].fold == fold) {
        found[index] = judge(draws_[index], *selector, options_.right_f1);
      }
    });
    std::vector<Judged> all;
    for (const auto& triples : found)
      for (const JudgedTriple& entry : triples)
        all.push_back({-bound_ + entry.triple.confidence * (2 * bound_), entry.right});
    return all;
  }

  static std::unique_ptr<extract::Selector> learned(std::shared_ptr<const extract::Ranker> ranker) {
    Settings settings;
    settings.selector = SelectorKind::kLearned;
    settings.top_k = kEvaluatedTopK;
    return extract::make_selector(settings, std::move(ranker));
  }

  // From the folds that are not `fold`.
  static extract::Calibration calibration_without(const std::vector<std::vector<Judged>>& judged,
                                                  std::size_t fold) {
    std::vector<Judged> others;
    for (std::size_t i = 0; i < judged.size(); ++i)
      if (i != fold) others.insert(others.end(), judged[i].begin(), judged[i].end());
    if (others.empty()) return extract::Calibration({{0.0, 0.5}});
    return calibrate(std::move(others));
  }

  void evaluate(std::vector<extract::Ranker>& by_fold,
                const std::vector<std::vector<Judged>>& judged, RankResult& result) {
    std::vector<std::unique_ptr<extract::Selector>> selectors;
    std::vector<Judged> calibrated;
    for (std::size_t fold = 0; fold < by_fold.size(); ++fold) {
      by_fold[fold].calibration = calibration_without(judged, fold);
      for (const Judged& entry : judged[fold])
        calibrated.push_back({by_fold[fold].calibration(entry.score), entry.right});
      selectors.push_back(learned(std::make_shared<extract::Ranker>(by_fold[fold])));
    }
    result.reliability = reliability_of(calibrated);
    const auto cross_fitted = [&](const Draw& draw) -> const extract::Selector& {
      return *selectors[draw.fold];
    };
    for (const PlainSelector& plain : plain_selectors(kEvaluatedTopK)) {
      const auto rows = measure(
          draws_, pools_, plain.name,
          [&](const Draw&) -> const extract::Selector& { return *plain.selector; }, threads_);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
    const auto rows = measure(draws_, pools_, "learned", cross_fitted, threads_);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }

  std::span<const RankPool> pools_;
  const RankOptions& options_;
  const extract::FeatureSchema& schema_;
  const extract::Walk walk_;
  const double bound_;  // of all worths, either way
  base::Workers threads_;
  std::vector<Draw> draws_;
};

}  // namespace

void RankOptions::validate() const {
  if (samples.empty()) throw Error(ErrorCode::kInvalidArgument, "samples has no value");
  for (const std::int32_t value : samples) check("samples", value, 0, 65536);
  check("trees", trees, 1, 10'000);
  check("depth", depth, 1, 8);
  check("rate", rate, 1e-4, 1.0);
  check("exactness", exactness, 0.0, 100.0);
  check("exact-bonus", exact_bonus, 0.0, 100.0);
  check("recall-limit", recall_limit, 0.0, 100.0);
  check("right-f1", right_f1, 0.0, 1.0);
  check("schema", schema, 0, extract::kFeatureSchemas.back().number);
  if (!extract::walk_from_name(walk)) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("walk is '{}', must be one of coverage, judged", base::printable(walk)));
  }
  check("folds", folds, 2, 100);
  check("threads", threads, 0, 1024);
}

RankResult train_ranker(std::span<const RankPool> pools, std::span<const data::Row> gold,
                        const RankOptions& options) {
  options.validate();
  return Trainer(pools, gold, options).run();
}

}  // namespace diffie
