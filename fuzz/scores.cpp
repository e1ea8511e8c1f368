// Every reader of the lab: what systems and benchmarks write, training rows, trees, pools.
#include "diffie/lab/data.h"
#include "diffie/lab/tag_pool.h"
#include "fuzz.h"
#include "lab/data/conllu.h"
#include "lab/score/readers/readers.h"

namespace {

using namespace diffie;

constexpr std::array<score::LineReader, 12> kReaders = {
    score::read_tabbed,   score::read_tsv,      score::read_openie4, score::read_openie5,
    score::read_clausie,  score::read_ollie,    score::read_detie,   score::read_reverb,
    score::read_stanford, score::read_allennlp, score::read_jsonl,   score::read_benchie_explicit};

void read(std::size_t kind, const std::string& text) {
  score::BadLines bad;
  if (kind < kReaders.size()) {
    score::TupleSink sink;
    std::vector<score::Line> lines = score::split_lines(text);
    std::erase_if(lines, [](const score::Line& line) { return !fuzz::is_utf8(line.text); });
    kReaders[kind](lines, sink, bad);
    for (const PredictedSentence& sentence : sink.take())
      FUZZ_CHECK(sentence.tuples.size() < 1000000);
    return;
  }
  switch (kind - kReaders.size()) {
    case 0:
      return void(score::read_wire57_extractions(text, "", bad));
    case 1:
      return void(score::read_wire57_gold(text, bad));
    case 2:
      return void(score::read_carb_gold(score::split_lines(text), Measure::kCarb, bad));
    case 3:
      return void(score::read_benchie_gold(score::split_lines(text), bad));
    case 4:
      return void(data::parse_rows(text, "rows"));
    case 5:
      return void(data::parse_conllu(text, "trees"));
    default:
      return void(parse_tag_pools(text, "pools"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::size_t kind = choices.below(kReaders.size() + 7);
  const std::string text(choices.rest());
  fuzz::accepted([&] { read(kind, text); });
  return 0;
}
