// How good an extractor's triples are: CaRB dev, all of it and in two parts, and BenchIE's first
// sentences.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "diffie/lab/score.h"

namespace diffie {

// A third of the sentences is kept for the last decision between finished models; what is tuned is
// tuned on the other two.
enum class DevPart { kAll, kTuning, kHeldOut };

const char* to_string(DevPart part) noexcept;  // all, tuning, held-out

// Held out: 64-bit FNV-1a of the sentence's bytes is a multiple of 3.
bool is_held_out(std::string_view sentence) noexcept;

struct EvaluationSet {
  std::vector<std::string> sentences;  // white-space tokens
  GoldStandard gold;                   // of CaRB's form
};

// carb/dev/dev.txt and dev.tsv of the directory of benchmark data. Throws kNotFound, naming the
// file, and kBadInput.
EvaluationSet read_carb_dev(const std::filesystem::path& data_dir);

struct Figures {
  double f1 = 0;  // at the best threshold, in [0, 1]
  double auc = 0;
};

struct Quality {
  std::size_t sentences = 0;  // scored, with or without gold
  Figures carb;
  Figures carb_1_1;
  double strict_f1 = 0;  // of the whole list, in [0, 1]
  double triples = 0;    // a sentence
  double holes = 0;      // share of the triples, diffie/lab/holes.h
};

// Whether one of the sentences has gold: without any, all scores are 0.
bool has_gold(std::span<const std::string_view> sentences, const GoldStandard& gold);

// One result per sentence. Only gold of these sentences counts; scores equal those of the results
// written as JSON lines and read by `diffie score`. Throws kInvalidArgument where the numbers
// differ.
Quality score_results(std::span<const std::string_view> sentences,
                      std::span<const SentenceResult> results, const GoldStandard& gold);

// The same for the sentences of one part.
Quality score_part(DevPart part, std::span<const std::string_view> sentences,
                   std::span<const SentenceResult> results, const GoldStandard& gold);

// Without the triples under `min_confidence`: what a preset that cuts there shows of the long list.
std::vector<SentenceResult> cut(std::vector<SentenceResult> results, double min_confidence);

// BenchIE's sentences 1 to 60 and their facts, in benchie/scorer-check of the directory of
// benchmark data; nothing where that is not there. Throws kBadInput.
std::optional<EvaluationSet> read_benchie_dev(const std::filesystem::path& data_dir);

struct BenchieFigures {
  std::size_t sentences = 0;
  double f1 = 0;       // of the list cut at `min_confidence`, in [0, 1]
  double best_f1 = 0;  // of the long list at its best threshold, in steps of 0.05
  double best_threshold = 0;
};

// `results` with everything (min_confidence 0), one per sentence.
BenchieFigures score_benchie(std::span<const std::string_view> sentences,
                             std::span<const SentenceResult> results, const GoldStandard& gold,
                             double min_confidence);

}  // namespace diffie
