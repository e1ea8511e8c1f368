// What training a ranker gave, as text and as a picture.
#include <fmt/format.h>

#include <iterator>

#include "diffie/lab/rank.h"
#include "base/xml_text.h"

namespace diffie {
namespace {

constexpr double kSize = 420;
constexpr double kLeft = 56, kTop = 40, kPlot = 320;

double x_of(double value) { return kLeft + value * kPlot; }
double y_of(double value) { return kTop + (1 - value) * kPlot; }

}  // namespace

std::string rank_text(const RankResult& result) {
  std::string out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put, "{} sentences, {} facts, {} wordings\n\n", result.num_sentences,
                 result.num_facts, result.num_wordings);
  fmt::format_to(put, "{:<20} {:>4}  {:<22} {:>8} {:>8} {:>12} {:>9}\n", "pool", "n", "selector",
                 "carb F1", "AUC", "carb_1_1 F1", "strict F1");
  for (const RankRow& row : result.rows) {
    fmt::format_to(put, "{:<20} {:>4}  {:<22} {:>8.2f} {:>8.2f} {:>12.2f} {:>9.2f}\n", row.pool,
                   row.samples, row.selector, row.carb_f1 * 100, row.carb_auc * 100,
                   row.carb_1_1_f1 * 100, row.strict_f1 * 100);
  }
  fmt::format_to(put, "\nconfidence    triples  mean confidence  right\n");
  for (const ReliabilityBin& bin : result.reliability.bins) {
    fmt::format_to(put, "{:.1f} to {:.1f}  {:>9}  {:>15.3f}  {:>5.3f}\n", bin.low, bin.high,
                   bin.count, bin.confidence, bin.right);
  }
  fmt::format_to(put, "expected calibration error {:.4f}\n", result.reliability.error);
  return out;
}

std::string reliability_svg(const Reliability& reliability, const std::string& title) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{0}\" fill=\"white\"/>\n"
      "<text x=\"{1}\" y=\"22\" text-anchor=\"middle\" font-size=\"14\">{2}</text>\n",
      kSize, kSize / 2, base::xml_text(title));
  const auto put = std::back_inserter(svg);
  for (int tick = 0; tick <= 10; tick += 2) {
    const double value = tick / 10.0;
    fmt::format_to(put,
                   "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"#ddd\"/>"
                   "<text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{5:.1f}</text>"
                   "<text x=\"{6}\" y=\"{7}\" text-anchor=\"middle\">{5:.1f}</text>\n",
                   x_of(0), x_of(1), y_of(value), x_of(0) - 6, y_of(value) + 4, value, x_of(value),
                   y_of(0) + 18);
  }
  std::size_t largest = 1;
  for (const ReliabilityBin& bin : reliability.bins) largest = std::max(largest, bin.count);
  for (const ReliabilityBin& bin : reliability.bins) {
    if (bin.count == 0) continue;
    // Bars: how many triples; dots: how many of them are right.
    const double height =
        0.25 * static_cast<double>(bin.count) / static_cast<double>(largest) * kPlot;
    fmt::format_to(put,
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                   "fill=\"#cfe0f1\"/><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" "
                   "fill=\"#1f77b4\"><title>{} triples, confidence {:.3f}, right {:.3f}</title>"
                   "</circle>\n",
                   x_of(bin.low) + 2, y_of(0) - height, kPlot / 10 - 4, height,
                   x_of(bin.confidence), y_of(bin.right), bin.count, bin.confidence, bin.right);
  }
  fmt::format_to(
      put,
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#888\" "
      "stroke-dasharray=\"4 3\"/>\n"
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">confidence (bars: triples)</text>\n"
      "<text x=\"16\" y=\"{}\" text-anchor=\"middle\" "
      "transform=\"rotate(-90 16 {})\">right</text>\n"
      "<text x=\"{}\" y=\"{}\">expected calibration error {:.3f}</text>\n</svg>\n",
      x_of(0), y_of(0), x_of(1), y_of(1), x_of(0.5), kSize - 12, y_of(0.5), y_of(0.5), x_of(0.03),
      y_of(0.94), reliability.error);
  return svg;
}

}  // namespace diffie
