// A line of JSONL; and the cutting of a text that comes in pieces, which does not depend on them.
#include "fuzz.h"
#include "json_row.h"
#include "quiet.h"
#include "sentence_cutter.h"

namespace {

using namespace diffie;

std::deque<cli::InputStep> steps_of(std::string_view text, cli::InputMode mode, std::size_t piece) {
  cli::Diagnostics diagnostics;
  cli::SentenceCutter cutter(mode, diagnostics);
  std::deque<cli::InputStep> steps;
  cutter.begin({"id", "place"}, nullptr, steps);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    cutter.buffer() += text.substr(at, piece);
    cutter.cut(steps);
  }
  cutter.end(steps);
  return steps;
}

void check_steps(std::string_view text, cli::InputMode mode, std::size_t piece) {
  const auto whole = steps_of(text, mode, text.size() + 1);
  const auto parts = steps_of(text, mode, piece);
  FUZZ_CHECK(whole.size() == parts.size());
  std::string again;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const cli::InputStep& step = whole[i];
    FUZZ_CHECK(step.kind == parts[i].kind && step.text == parts[i].text);
    FUZZ_CHECK(step.bytes == parts[i].bytes && step.character == parts[i].character);
    if (step.kind != cli::InputStep::Kind::kBegin) again += step.gap + step.text;
  }
  FUZZ_CHECK(again == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::as_text(data, size));
  const std::uint8_t kind = choices.byte();
  if (kind % 4 == 0) {
    const auto mode = kind % 8 == 0 ? cli::InputMode::kDocuments : cli::InputMode::kLines;
    const std::size_t piece = 1 + choices.below(16);
    check_steps(choices.rest(), mode, piece);
    return 0;
  }
  cli::RowFields fields;
  if (kind % 2 == 0) fields.id = "id";
  fuzz::accepted([&] {
    const cli::JsonRow row = cli::read_json_row(choices.rest(), fields);
    FUZZ_CHECK(fuzz::is_utf8(row.text) && fuzz::is_utf8(row.id));
  });
  return 0;
}
