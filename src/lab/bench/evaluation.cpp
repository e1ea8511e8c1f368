#include "diffie/lab/evaluation.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>

#include "diffie/error.h"
#include "lab/score/as_written.h"
#include "lab/score/sentence_key.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be read", path.string()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
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

Quality score_results(std::span<const std::string_view> sentences,
                      std::span<const SentenceResult> results, const GoldStandard& gold) {
  if (sentences.size() != results.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} results for {} sentences", results.size(), sentences.size()));
  }
  std::set<std::string> keys;
  std::set<std::string_view> seen;
  SystemOutput output;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    keys.insert(score::sentence_key(sentences[i]));
    // A sentence that comes again has the same triples; the scorer wants them once.
    if (!seen.insert(sentences[i]).second) continue;
    output.sentences.push_back(predicted(sentences[i], results[i]));
  }
  GoldStandard wanted;
  for (const GoldSentence& sentence : gold.sentences) {
    if (keys.contains(score::sentence_key(sentence.sentence))) wanted.sentences.push_back(sentence);
  }
  return {sentences.size(), figures(wanted, output, Measure::kCarb),
          figures(wanted, output, Measure::kCarb11)};
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

}  // namespace diffie
