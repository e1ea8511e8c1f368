#include "diffie/lab/evaluation.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "base/take_line.h"
#include "diffie/error.h"
#include "diffie/lab/holes.h"
#include "files/read_file.h"
#include "lab/score/as_written.h"
#include "lab/score/sentence_key.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_lines(const fs::path& path) {
  const std::string text = files::read_text_file(path);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = base::take_line(rest);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

PredictedSentence predicted(std::string_view sentence, const SentenceResult& result) {
  PredictedSentence out;
  out.sentence = sentence;
  for (const Extraction& found : result.extractions) {
    out.tuples.push_back(
        {found.relation, {found.subject, found.object}, as_written(found.confidence)});
  }
  return out;
}

// A sentence that comes again has the same triples; the scorer wants them once.
SystemOutput output_of(std::span<const std::string_view> sentences,
                       std::span<const SentenceResult> results) {
  if (sentences.size() != results.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} results for {} sentences", results.size(), sentences.size()));
  }
  std::set<std::string_view> seen;
  SystemOutput output;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (!seen.insert(sentences[i]).second) continue;
    output.sentences.push_back(predicted(sentences[i], results[i]));
  }
  return output;
}

// Of these sentences alone.
GoldStandard gold_of(std::span<const std::string_view> sentences, const GoldStandard& gold) {
  std::set<std::string> keys;
  for (const std::string_view sentence : sentences) keys.insert(score::sentence_key(sentence));
  GoldStandard wanted;
  for (const GoldSentence& sentence : gold.sentences) {
    if (keys.contains(score::sentence_key(sentence.sentence))) wanted.sentences.push_back(sentence);
  }
  return wanted;
}

double triples_per_sentence(std::span<const SentenceResult> results) {
  std::size_t triples = 0;
  for (const SentenceResult& result : results) triples += result.extractions.size();
  return results.empty() ? 0 : static_cast<double>(triples) / static_cast<double>(results.size());
}

Figures figures(const GoldStandard& gold, const SystemOutput& output, Measure measure) {
  const Score score = score_system(gold, output, measure);
  return {score.f1, score.auc.value_or(0)};
}

}  // namespace

const char* to_string(DevPart part) noexcept {
  switch (part) {
    case DevPart::kTuning:
      return "tuning";
    case DevPart::kHeldOut:
      return "held-out";
    default:
      return "all";
  }
}

bool is_held_out(std::string_view sentence) noexcept {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : sentence) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  }
  return hash % 3 == 0;
}

EvaluationSet read_carb_dev(const fs::path& data_dir) {
  const fs::path folder = data_dir / "carb" / "dev";
  return {read_lines(folder / "dev.txt"), read_gold((folder / "dev.tsv").string(), Measure::kCarb)};
}

bool has_gold(std::span<const std::string_view> sentences, const GoldStandard& gold) {
  return !gold_of(sentences, gold).sentences.empty();
}

Quality score_results(std::span<const std::string_view> sentences,
                      std::span<const SentenceResult> results, const GoldStandard& gold) {
  const SystemOutput output = output_of(sentences, results);
  const GoldStandard wanted = gold_of(sentences, gold);
  return {.sentences = sentences.size(),
          .carb = figures(wanted, output, Measure::kCarb),
          .carb_1_1 = figures(wanted, output, Measure::kCarb11),
          .strict_f1 = strict_f1(wanted, output),
          .triples = triples_per_sentence(results),
          .holes = share_with_holes(sentences, results)};
}

Quality score_part(DevPart part, std::span<const std::string_view> sentences,
                   std::span<const SentenceResult> results, const GoldStandard& gold) {
  if (part == DevPart::kAll || sentences.size() != results.size()) {
    return score_results(sentences, results, gold);
  }
  std::vector<std::string_view> texts;
  std::vector<SentenceResult> chosen;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (is_held_out(sentences[i]) != (part == DevPart::kHeldOut)) continue;
    texts.push_back(sentences[i]);
    chosen.push_back(results[i]);
  }
  return score_results(texts, chosen, gold);
}

std::vector<SentenceResult> cut(std::vector<SentenceResult> results, double min_confidence) {
  for (SentenceResult& result : results) {
    std::erase_if(result.extractions,
                  [&](const Extraction& triple) { return triple.confidence < min_confidence; });
  }
  return results;
}

std::optional<EvaluationSet> read_benchie_dev(const fs::path& data_dir) {
  const fs::path folder = data_dir / "benchie" / "scorer-check";
  const fs::path gold = folder / "benchie_gold_annotations_en.first60.txt";
  if (!fs::exists(gold)) return std::nullopt;
  return EvaluationSet{read_lines(folder / "sentences.first60.txt"),
                       read_gold(gold.string(), Measure::kBenchie)};
}

BenchieFigures score_benchie(std::span<const std::string_view> sentences,
                             std::span<const SentenceResult> results, const GoldStandard& gold,
                             double min_confidence) {
  const GoldStandard wanted = gold_of(sentences, gold);
  const auto f1_at = [&](double threshold) {
    const auto kept = cut({results.begin(), results.end()}, threshold);
    return score_system(wanted, output_of(sentences, kept), Measure::kBenchie).f1;
  };
  BenchieFigures out{.sentences = sentences.size(), .f1 = f1_at(min_confidence)};
  for (int step = 0; step < 20; ++step) {
    const double threshold = step / 20.0;
    const double f1 = f1_at(threshold);
    if (f1 > out.best_f1) out.best_f1 = f1, out.best_threshold = threshold;
  }
  return out;
}

}  // namespace diffie
