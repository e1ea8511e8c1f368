// Scores of open information extraction against a gold standard: CaRB, BenchIE, WiRe57 and their
// variants. docs/scoring.md defines each measure exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diffie {

enum class Measure {
  kCarb,                 // carb: precision one-to-one (greedy), recall many-to-one
  kCarb11,               // carb_1_1: both one-to-one (greedy)
  kCarbDiffie,           // carb_diffie: carb on lower-cased words
  kCarbHungarian,        // carb_hungarian: both one-to-one, each by its own optimal assignment
  kCarbHungarianF1,      // carb_hungarian_f1: one optimal assignment (by pair F1) for both
  kCarbDiffieHungarian,  // carb_diffie_hungarian: carb_hungarian on lower-cased words
  kBenchie,              // benchie: facts hit by exact triples
  kWire57,               // wire57: token overlap, one-to-one (greedy by pair F1)
  kWire57Hungarian,      // wire57_hungarian: the same by optimal assignment
  kWire57C,              // wire57_c: WiRe57's matching against CaRB's gold
};

const char* to_string(Measure measure) noexcept;
// Throws kInvalidArgument, listing the names that exist.
Measure parse_measure(std::string_view name);
std::vector<std::string> measure_names();
// True for the CaRB family: thresholds on the confidence, a curve, an area under it.
bool has_curve(Measure measure) noexcept;

// ---- What is scored

struct PredictedTuple {
  std::string relation;
  std::vector<std::string> arguments;  // the subject first
  double confidence = 1;
};

// A sentence is known by its id (BenchIE, WiRe57) or by its text; the other may be empty.
struct PredictedSentence {
  std::string id;
  std::string sentence;
  std::vector<PredictedTuple> tuples;  // in file order
};

// A line of a file that could not be read. `line` counts from 1; 0 speaks of the whole file.
struct BadLine {
  std::size_t line = 0;
  std::string reason;
};

struct SystemOutput {
  std::string name;
  std::vector<PredictedSentence> sentences;  // each spelling once, by first appearance
  std::vector<BadLine> skipped;
};

struct GoldPart {
  std::string text;
  std::vector<std::string> words;  // WiRe57 only, inferred words too
  std::size_t num_inferred = 0;    // WiRe57 only
};

struct GoldTuple {
  GoldPart relation;
  std::vector<GoldPart> arguments;  // the subject first
  std::size_t fact = 0;             // BenchIE: the number of the cluster within the sentence
};

struct GoldSentence {
  std::string id;
  std::string sentence;
  std::string tokenized;  // WiRe57: the tokens joined by blanks
  std::vector<GoldTuple> tuples;
  std::size_t num_facts = 0;  // BenchIE: clusters; elsewhere the number of tuples
};

struct GoldStandard {
  std::vector<GoldSentence> sentences;
  std::vector<BadLine> skipped;
};

// ---- Reading

struct ScoreReadOptions {
  // auto, tabbed, jsonl, tsv, openie4, openie5, clausie, ollie, reverb, stanford, detie, allennlp,
  // benchie, wire57
  std::string format = "auto";
  std::string extractor;  // wire57 files hold several systems; empty: all of them
  bool skip_bad = false;  // leave out what cannot be read and list it, instead of throwing
};

std::vector<std::string> prediction_format_names();

// Gold in the form that the measure needs: CaRB's TSV, BenchIE's text or WiRe57's JSON. Throws
// kNotFound for a file that cannot be opened and kBadInput with the numbers of the bad lines.
GoldStandard read_gold(const std::string& path, Measure measure, bool skip_bad = false);

// One system, named after the file; a WiRe57 file yields one per extractor. Throws like read_gold.
std::vector<SystemOutput> read_predictions(const std::string& path, Measure measure,
                                           const ScoreReadOptions& options = {});

// ---- Scoring

struct CurvePoint {
  double precision = 0;
  double recall = 0;
  double confidence = 0;
};

struct OperatingPoint {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

// What one gold sentence adds to the four sums while the threshold is above that of the step
// before and at most thresholds[threshold]. Measures without thresholds have one step.
struct SentenceStep {
  std::size_t threshold = 0;
  double precision_sum = 0;
  double num_predicted = 0;
  double recall_sum = 0;
};

struct SentenceScore {
  std::vector<SentenceStep> steps;  // by rising threshold; none: nothing was predicted
  double num_gold = 0;
};

struct Score {
  Measure measure = Measure::kCarb;
  std::string system;
  double precision = 0;  // at the best F1
  double recall = 0;
  double f1 = 0;
  std::optional<double> auc;                // the CaRB family only
  std::optional<double> optimal_threshold;  // the CaRB family only; none without predictions
  OperatingPoint all_predictions;           // at the lowest threshold
  std::vector<CurvePoint> curve;            // by rising confidence; one point per distinct one
  std::size_t num_gold = 0;                 // tuples, or facts
  std::size_t num_predicted = 0;            // in the file
  std::size_t num_scored = 0;               // of these, on sentences that have gold
  std::vector<SentenceScore> sentences;     // in the order of the gold sentences
};

// Throws kInvalidArgument when the predictions name their sentences in a way that the gold does
// not know (ids for CaRB).
Score score_system(const GoldStandard& gold, const SystemOutput& output, Measure measure);

// F1 of triples that equal one of CaRB's gold in all three slots, word for word, case aside; each
// gold tuple once, no threshold.
double strict_f1(const GoldStandard& gold, const SystemOutput& output);

}  // namespace diffie
