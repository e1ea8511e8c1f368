#include "diffie/lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/workers.h"
#include "diffie/error.h"
#include "extract/ranker.h"
#include "extract/selector.h"
#include "lab/sweep/candidates.h"
#include "lab/sweep/grid.h"
#include "lab/sweep/oracle.h"
#include "lab/sweep/spread.h"
#include "lab/sweep/subset.h"
#include "text/lowercase.h"

namespace diffie {
namespace {

// The number of samples per sentence; sentences without any do not count.
std::size_t common_size(const SweepPool& pool) {
  std::uint64_t size = 0;
  for (const TagPool& sentence : pool.sentences) {
    const std::uint64_t own = sentence.num_samples();
    if (own == 0 || own == size) continue;
    if (size != 0) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: sentences with {} and with {} samples", pool.name, size, own));
    }
    size = own;
  }
  if (size == 0) throw Error(ErrorCode::kBadInput, fmt::format("{}: no samples in it", pool.name));
  return static_cast<std::size_t>(size);
}

// A chosen triple: the text with the confidence that is scored, and the selector's own.
struct Chosen {
  PredictedTuple tuple;
  double confidence = 0;
};

// A prediction of a sentence under one of a selection's points.
std::vector<PredictedTuple> first_ones(const std::vector<Chosen>& chosen, const SweepPoint& point) {
  std::vector<PredictedTuple> tuples;
  for (const Chosen& entry : chosen) {
    if (tuples.size() == static_cast<std::size_t>(*point.top_k)) break;
    if (entry.confidence < *point.min_confidence) break;
    tuples.push_back(entry.tuple);
  }
  return tuples;
}

std::size_t num_threads(std::int32_t wanted) {
  if (wanted > 0) return static_cast<std::size_t>(wanted);
  return std::max(1U, std::thread::hardware_concurrency());
}

// The scores of one point, one per measure.
using PointScores = std::vector<SweepScore>;

class Sweeper {
 public:
  Sweeper(std::span<const SweepGold> golds, const SweepOptions& options)
      : golds_(golds),
        options_(options),
        selections_(sweep::make_selections(options.axes)),
        threads_(num_threads(options.threads)) {
    std::shared_ptr<const extract::Ranker> ranker;
    if (!options.ranker.empty())
      ranker = std::make_shared<extract::Ranker>(extract::read_ranker(options.ranker));
    for (const sweep::Selection& selection : selections_) {
      selectors_.push_back(extract::make_selector(selection.settings, ranker));
    }
    for (const SweepGold& gold : golds_) {
      oracles_.emplace_back(gold.gold);
      judges_.emplace_back();
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        judges_.back().push_back(score::make_judges(gold.measure));
      }
    }
  }

  void add_rows(const SweepPool& pool, std::vector<SweepRow>& rows);

 private:
  // What is drawn and how triples are made of it.
  struct Draw {
    std::size_t samples = 0;
    std::uint32_t repeat = 0;
    Rule rule = Rule::kLongest;
  };

  void check_gold(const SweepPool& pool) const;
  std::vector<SweepPoint> points() const;
  std::vector<PointScores> score_draw(const SweepPool& pool, const Draw& draw);
  void choose(const TagPool& sentence, const Draw& draw, std::size_t worker, std::size_t index);
  SystemOutput output_of(const SweepPool& pool, std::size_t point, std::size_t measure) const;

  std::span<const SweepGold> golds_;
  const SweepOptions& options_;
  std::vector<sweep::Selection> selections_;
  std::vector<std::unique_ptr<extract::Selector>> selectors_;
  std::vector<sweep::Oracle> oracles_;                  // by measure
  std::vector<std::vector<score::JudgeMaker>> judges_;  // [measure, worker]
  base::Workers threads_;
  // Of the draw at hand.
  std::vector<std::vector<std::vector<Chosen>>> chosen_;                 // [selection, sentence]
  std::vector<std::vector<std::vector<PredictedTuple>>> oracle_chosen_;  // [measure, sentence]
};

// The wrong gold would score 0 without a word.
void Sweeper::check_gold(const SweepPool& pool) const {
  for (std::size_t i = 0; i < golds_.size(); ++i) {
    const bool known =
        std::any_of(pool.sentences.begin(), pool.sentences.end(),
                    [&](const TagPool& sentence) { return oracles_[i].knows(sentence.sentence); });
    if (known) continue;
    throw Error(ErrorCode::kBadInput, fmt::format("{}: none of its sentences has gold for {}",
                                                  pool.name, to_string(golds_[i].measure)));
  }
}

// In the order of the selections, the oracle last; without rule and samples.
std::vector<SweepPoint> Sweeper::points() const {
  std::vector<SweepPoint> all;
  for (const sweep::Selection& selection : selections_) {
    all.insert(all.end(), selection.points.begin(), selection.points.end());
  }
  if (options_.oracle) all.emplace_back();
  return all;
}

void Sweeper::choose(const TagPool& sentence, const Draw& draw, std::size_t worker,
                     std::size_t index) {
  std::vector<std::string> lower_words;
  for (const std::string& word : sentence.words) lower_words.push_back(text::lowercase(word));
  extract::PoolRules rules = draw.rule;
  rules.tidy = options_.tidy;
  rules.explicit_only = options_.explicit_only;
  const extract::CandidateSet pool = sweep::make_candidates(
      sentence, sweep::subset_counts(sentence, draw.samples, options_.seed, draw.repeat),
      lower_words, rules);
  for (std::size_t i = 0; i < selectors_.size(); ++i) {
    std::vector<Chosen>& chosen = chosen_[i][index];
    chosen.clear();
    for (const extract::RankedTriple& ranked : selectors_[i]->select(pool)) {
      chosen.push_back(
          {sweep::to_tuple(ranked.triple, ranked.confidence, sentence.words, sentence.num_implied),
           ranked.confidence});
    }
  }
  if (!options_.oracle) return;
  for (std::size_t i = 0; i < golds_.size(); ++i) {
    oracle_chosen_[i][index] =
        oracles_[i].choose(sentence.sentence, pool, sentence.words, judges_[i][worker]);
  }
}

SystemOutput Sweeper::output_of(const SweepPool& pool, std::size_t point,
                                std::size_t measure) const {
  std::size_t selection = 0;
  while (selection < selections_.size() && point >= selections_[selection].points.size()) {
    point -= selections_[selection++].points.size();
  }
  SystemOutput output;
  output.name = pool.name;
  for (std::size_t i = 0; i < pool.sentences.size(); ++i) {
    output.sentences.push_back(
        {"", pool.sentences[i].sentence,
         selection < selections_.size()
             ? first_ones(chosen_[selection][i], selections_[selection].points[point])
             : oracle_chosen_[measure][i]});
  }
  return output;
}

// Candidates are made once per sentence and serve all selections; then every (point, measure) is a
// task of its own.
std::vector<PointScores> Sweeper::score_draw(const SweepPool& pool, const Draw& draw) {
  chosen_.assign(selections_.size(), std::vector<std::vector<Chosen>>(pool.sentences.size()));
  oracle_chosen_.assign(golds_.size(),
                        std::vector<std::vector<PredictedTuple>>(pool.sentences.size()));
  threads_.parallel_for(pool.sentences.size(), [&](std::size_t worker, std::size_t index) {
    choose(pool.sentences[index], draw, worker, index);
  });
  std::vector<PointScores> scores(points().size(), PointScores(golds_.size()));
  threads_.parallel_for(scores.size() * golds_.size(), [&](std::size_t, std::size_t task) {
    const std::size_t point = task / golds_.size();
    const std::size_t measure = task % golds_.size();
    scores[point][measure] = sweep::to_sweep_score(score_system(
        golds_[measure].gold, output_of(pool, point, measure), golds_[measure].measure));
  });
  return scores;
}

void Sweeper::add_rows(const SweepPool& pool, std::vector<SweepRow>& rows) {
  const std::size_t size = common_size(pool);
  check_gold(pool);
  const std::vector<SweepPoint> all_points = points();
  for (const std::int32_t wanted : options_.axes.samples) {
    const std::size_t samples = wanted == 0 ? size : static_cast<std::size_t>(wanted);
    if (samples > size) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("samples is {}, {} has {} per sentence", samples, pool.name, size));
    }
    const std::int32_t repeats = samples < size ? options_.repeats : 1;
    for (const Rule rule : options_.axes.rule) {
      std::vector<std::vector<PointScores>> runs;
      for (std::int32_t repeat = 0; repeat < repeats; ++repeat) {
        runs.push_back(score_draw(pool, {samples, static_cast<std::uint32_t>(repeat), rule}));
      }
      for (std::size_t point = 0; point < all_points.size(); ++point) {
        SweepRow row{pool.label, pool.name, runs.size(), all_points[point], {}};
        row.point.rule = rule;
        row.point.samples = static_cast<std::int32_t>(samples);
        for (std::size_t measure = 0; measure < golds_.size(); ++measure) {
          std::vector<SweepScore> scores;
          for (const auto& run : runs) scores.push_back(run[point][measure]);
          row.scores.push_back(sweep::spread_of(scores));
        }
        rows.push_back(std::move(row));
      }
    }
  }
}

// Rows of pools come in equal blocks, one per pool; those of one label are averaged row by row.
void add_means(std::span<const SweepPool> pools, std::vector<SweepRow>& rows) {
  if (pools.empty()) return;
  const std::size_t block = rows.size() / pools.size();
  std::vector<std::string> labels;
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (members[pools[i].label].empty()) labels.push_back(pools[i].label);
    members[pools[i].label].push_back(i);
  }
  for (const std::string& label : labels) {
    if (members[label].size() < 2) continue;
    for (std::size_t place = 0; place < block; ++place) {
      SweepRow mean = rows[members[label][0] * block + place];
      mean.pool.clear();
      mean.runs = members[label].size();
      for (std::size_t measure = 0; measure < mean.scores.size(); ++measure) {
        std::vector<SweepScore> scores;
        for (const std::size_t pool : members[label]) {
          scores.push_back(rows[pool * block + place].scores[measure]);
        }
        mean.scores[measure] = sweep::spread_of(scores);
      }
      rows.push_back(std::move(mean));
    }
  }
}

}  // namespace

SweepTable run_sweep(std::span<const SweepPool> pools, std::span<const SweepGold> golds,
                     const SweepOptions& options) {
  options.validate();
  if (golds.empty()) throw Error(ErrorCode::kInvalidArgument, "no measure to sweep by");
  SweepTable table;
  for (const SweepGold& gold : golds) table.measures.push_back(gold.measure);
  Sweeper sweeper(golds, options);
  for (const SweepPool& pool : pools) sweeper.add_rows(pool, table.rows);
  add_means(pools, table.rows);
  return table;
}

}  // namespace diffie
