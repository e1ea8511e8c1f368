// The formats that systems write. A reader turns the lines of a file into tuples.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diffie/lab/score.h"
#include "lab/score/readers/lines.h"

namespace diffie::score {

// Gathers the tuples of one system; equal spellings of a sentence share one entry.
class TupleSink {
 public:
  void add(std::string_view sentence, PredictedTuple tuple);
  void add_by_id(std::string_view id, PredictedTuple tuple);
  // A sentence for which nothing was found.
  void add_empty(std::string_view sentence);
  std::vector<PredictedSentence> take() { return std::move(sentences_); }

 private:
  PredictedSentence& entry(std::string_view name, bool is_id);

  std::vector<PredictedSentence> sentences_;
  std::unordered_map<std::string, std::size_t> places_;  // by "i" or "s" and the name
};

// Reads a whole file, since some formats give a sentence on one line and its tuples on the next.
// Lines that cannot be read go to `bad`; blank lines say nothing.
using LineReader = void (*)(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);

void read_tabbed(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_tsv(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_openie4(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_openie5(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_clausie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_ollie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_detie(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_reverb(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_stanford(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_allennlp(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_jsonl(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);
void read_benchie_explicit(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad);

// One output per extractor in the file, or the named one only.
std::vector<SystemOutput> read_wire57_extractions(const std::string& text,
                                                  const std::string& extractor, BadLines& bad);

GoldStandard read_carb_gold(const std::vector<Line>& lines, Measure measure, BadLines& bad);
GoldStandard read_benchie_gold(const std::vector<Line>& lines, BadLines& bad);
GoldStandard read_wire57_gold(const std::string& text, BadLines& bad);

}  // namespace diffie::score
