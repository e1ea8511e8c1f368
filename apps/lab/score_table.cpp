#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/printable.h"
#include "score_output.h"

namespace diffie::cli {
namespace {

using base::one_line_shown;

std::string percent(double value) { return fmt::format("{:.2f}", value * 100); }

std::string percent(const Interval& interval) {
  return fmt::format("[{}, {}]", percent(interval.low), percent(interval.high));
}

std::string p_value(double p, std::int32_t replicates) {
  const double smallest = 1.0 / (replicates + 1.0);
  return p <= 2 * smallest ? fmt::format("< {:.2g}", 2 * smallest + 1e-12)
                           : fmt::format("{:.4f}", p);
}

class Text {
 public:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::size_t name_width(const std::vector<ScoredSystem>& systems) {
  std::size_t width = 0;
  for (const ScoredSystem& system : systems)
    width = std::max(width, one_line_shown(system.score.system).size());
  return width;
}

void put_scores(Text& text, const std::vector<ScoredSystem>& systems) {
  const char* measure = to_string(systems[0].score.measure);
  const std::size_t width = std::max(name_width(systems), std::string_view(measure).size());
  const bool curved = has_curve(systems[0].score.measure);
  text.put("{:<{}}  {:>6} {:>6} {:>6}", measure, width, "P", "R", "F1");
  if (curved) text.put(" {:>6} {:>11}", "AUC", "threshold");
  text.put(" {:>11}\n", "predictions");
  for (const ScoredSystem& system : systems) {
    const Score& score = system.score;
    text.put("{:<{}}  {:>6} {:>6} {:>6}", one_line_shown(score.system), width,
             percent(score.precision), percent(score.recall), percent(score.f1));
    if (curved) {
      const std::string threshold =
          score.optimal_threshold ? fmt::format("{:.5g}", *score.optimal_threshold) : "-";
      text.put(" {:>6} {:>11}", percent(score.auc.value_or(0)), threshold);
    }
    text.put(" {:>11}\n", score.num_scored);
  }
}

void put_intervals(Text& text, const ScoreReport& report) {
  if (!report.systems[0].intervals) return;
  text.put("\n{:g} % intervals, {} bootstrap samples of sentences, seed {}\n",
           report.resampling.level * 100, report.resampling.replicates, report.resampling.seed);
  const std::size_t width = name_width(report.systems);
  for (const ScoredSystem& system : report.systems) {
    text.put("{:<{}}  P {}  R {}  F1 {}", one_line_shown(system.score.system), width,
             percent(system.intervals->precision), percent(system.intervals->recall),
             percent(system.intervals->f1));
    if (system.intervals->auc) text.put("  AUC {}", percent(*system.intervals->auc));
    text.put("\n");
  }
}

void put_comparison(Text& text, const ScoreReport& report) {
  if (!report.comparison) return;
  const auto& [a, b, result] = *report.comparison;
  const std::int32_t replicates = report.resampling.replicates;
  text.put("\n{} minus {} ({} samples, seed {})\n", one_line_shown(a), one_line_shown(b),
           replicates, report.resampling.seed);
  text.put("F1   {:+.2f} {}  paired bootstrap p {}  permutation p {}\n", result.f1.difference * 100,
           percent(result.f1.interval), p_value(result.f1.bootstrap_p, replicates),
           p_value(result.f1.permutation_p.value_or(1), replicates));
  if (result.auc) {
    text.put("AUC  {:+.2f} {}  paired bootstrap p {}\n", result.auc->difference * 100,
             percent(result.auc->interval), p_value(result.auc->bootstrap_p, replicates));
  }
  text.put("better on {} sentences, worse on {}\n", result.sentences_better,
           result.sentences_worse);
}

void put_pairs(Text& text, const char* title, const std::vector<PairCredit>& pairs,
               bool of_precision) {
  text.put("  {}\n", title);
  for (const PairCredit& pair : pairs) {
    const double credit = of_precision ? pair.precision : pair.recall;
    text.put("    {:.4f}  gold {} - prediction {}\n", credit, pair.gold + 1, pair.predicted + 1);
  }
  if (pairs.empty()) text.put("    none\n");
}

void put_explanation(Text& text, const ScoredSystem& system) {
  if (!system.explanation) return;
  const Explanation& e = *system.explanation;
  text.put("\n{}: {}{}{}\n", one_line_shown(system.score.system), one_line_shown(e.id),
           e.id.empty() ? "" : " ", one_line_shown(e.sentence));
  text.put("  gold\n");
  for (std::size_t i = 0; i < e.gold.size(); ++i)
    text.put("    {:>2}  {}\n", i + 1, one_line_shown(e.gold[i]));
  text.put("  predicted{}\n", e.below_threshold > 0
                                  ? fmt::format(" ({} under the threshold)", e.below_threshold)
                                  : "");
  for (std::size_t i = 0; i < e.predicted.size(); ++i) {
    text.put("    {:>2}  {:.5g}  {}\n", i + 1, e.confidences[i], one_line_shown(e.predicted[i]));
  }
  if (e.predicted.empty()) text.put("    none\n");
  put_pairs(text, "credit for precision", e.precision_pairs, true);
  put_pairs(text, "credit for recall", e.recall_pairs, false);
  text.put("  precision {:.4f} / {}, recall {:.4f} / {}\n", e.precision_sum, e.num_predicted,
           e.recall_sum, e.num_gold);
}

}  // namespace

std::string score_table(const ScoreReport& report) {
  Text text;
  put_scores(text, report.systems);
  put_intervals(text, report);
  put_comparison(text, report);
  for (const ScoredSystem& system : report.systems) put_explanation(text, system);
  return text.take();
}

}  // namespace diffie::cli
