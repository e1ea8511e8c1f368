// What training a ranker gave, as text.
#include <fmt/format.h>

#include <iterator>

#include "diffie/lab/rank.h"

namespace diffie {

std::string rank_text(const RankResult& result) {
  std::string out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put, "{} sentences, {} facts, {} wordings, features of schema {}\n\n",
                 result.num_sentences, result.num_facts, result.num_wordings, result.schema);
  fmt::format_to(put, "{:<20} {:>4}  {:<22} {:>8} {:>8} {:>12} {:>9} {:>6}\n", "pool", "n",
                 "selector", "carb F1", "AUC", "carb_1_1 F1", "strict F1", "at");
  for (const RankRow& row : result.rows) {
    fmt::format_to(put, "{:<20} {:>4}  {:<22} {:>8.2f} {:>8.2f} {:>12.2f} {:>9.2f} {:>6.3f}\n",
                   row.pool, row.samples, row.selector, row.carb_f1 * 100, row.carb_auc * 100,
                   row.carb_1_1_f1 * 100, row.strict_f1 * 100, row.strict_threshold);
  }
  fmt::format_to(put, "\nconfidence    triples  mean confidence  right\n");
  for (const ReliabilityBin& bin : result.reliability.bins) {
    fmt::format_to(put, "{:.1f} to {:.1f}  {:>9}  {:>15.3f}  {:>5.3f}\n", bin.low, bin.high,
                   bin.count, bin.confidence, bin.right);
  }
  fmt::format_to(put, "expected calibration error {:.4f}\n", result.reliability.error);
  return out;
}

}  // namespace diffie
