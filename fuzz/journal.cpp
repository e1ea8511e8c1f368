// The journal of a run that is taken up again: valid records with bytes of them broken under sums
// that match, or any bytes. What is replayed can be written by every writer; what is appended is
// replayed as it was.
#include "cli/journal.h"

#include "checksums/sha256.h"
#include "cli/result_record.h"
#include "memory_file.h"

namespace {

using namespace diffie;
using fuzz::Choices;

constexpr std::string_view kMagic = "diffie journal 1\n";
constexpr std::array<std::string_view, 3> kSentences = {"The cat sat.", "A \u00E9t\u00E9.", "No."};

SentenceResult some_result() {
  Extraction triple;
  triple.subject = "The cat";
  triple.relation = "sat is";
  triple.object = "cat";
  triple.confidence = 0.5;
  triple.subject_spans = {{0, 2}};
  triple.relation_spans = {{1, 2}, {2, 3}};
  triple.object_spans = {{0, 3}};
  triple.implied = {"is"};
  triple.factuality.attributed_to = Attribution{"cat", {{0, 3}}};
  triple.circumstances = {{CircumstanceKind::kPlace, "cat", {{1, 3}}}};
  SentenceResult result;
  result.extractions = {triple, triple};
  result.error = ErrorCode::kExhausted;
  result.error_message = "too long";
  return result;
}

void append_sealed(std::string& file, std::string_view payload) {
  const std::uint64_t size = payload.size();
  file.append(reinterpret_cast<const char*>(&size), sizeof size);
  file += checksums::sha256(std::as_bytes(std::span(payload))).substr(0, 16);
  file += payload;
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// Overwrites, puts in or takes out.
void damage(std::string& bytes, Choices& choices) {
  if (bytes.empty()) return;
  const std::size_t at = choices.below(bytes.size());
  switch (choices.below(4)) {
    case 0:
      bytes[at] = static_cast<char>(choices.byte());
      break;
    case 1: {
      const std::uint64_t number = choices.number();
      bytes.replace(at, sizeof number, reinterpret_cast<const char*>(&number), sizeof number);
      break;
    }
    case 2:
      bytes.insert(at, choices.text(16));
      break;
    default:
      bytes.erase(at, 1 + choices.below(16));
  }
}

std::string sealed_then_broken(Choices& choices, const std::string& run) {
  static const std::string valid = [] {
    std::string bytes;
    cli::append_record(bytes, some_result());
    return bytes;
  }();
  std::string file(kMagic);
  std::string header = run;
  if (choices.byte() % 8 == 7) damage(header, choices);
  append_sealed(file, header);
  std::string payload;
  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    const std::uint64_t hash = fingerprint(kSentences[i]);
    payload.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    std::string record = valid;
    for (std::uint64_t left = choices.below(3); left > 0; --left) damage(record, choices);
    payload += record;
    if (choices.byte() % 2 != 0 || i + 1 == kSentences.size()) {
      append_sealed(file, payload);
      payload.clear();
    }
  }
  if (choices.byte() % 4 == 3) damage(file, choices);
  return file;
}

void check_spans(const std::vector<Span>& spans, std::size_t size) {
  std::size_t reached = 0;
  for (const Span span : spans) {
    FUZZ_CHECK(span.begin >= reached && span.begin < span.end && span.end <= size);
    reached = span.end;
  }
}

void check_result(const SentenceResult& result, std::size_t size) {
  for (const Extraction& triple : result.extractions) {
    FUZZ_CHECK(triple.confidence > 0 && triple.confidence <= 1);
    FUZZ_CHECK(triple.factuality.polarity <= Polarity::kNegative);
    FUZZ_CHECK(triple.factuality.modality <= Modality::kConditional);
    check_spans(triple.subject_spans, size);
    check_spans(triple.relation_spans, size);
    check_spans(triple.object_spans, size);
    if (triple.factuality.attributed_to) check_spans(triple.factuality.attributed_to->spans, size);
    for (const Circumstance& circumstance : triple.circumstances) {
      FUZZ_CHECK(circumstance.kind <= CircumstanceKind::kPlace);
      check_spans(circumstance.spans, size);
    }
  }
  FUZZ_CHECK(!result.error || *result.error <= ErrorCode::kInternal);
}

// As bytes, so that all of it is compared.
std::string replayed(cli::Journal& journal, std::string_view sentence) {
  const std::optional<SentenceResult> result = journal.replay(sentence);
  if (!result) return "";
  check_result(*result, sentence.size());
  std::string bytes;
  cli::append_record(bytes, *result);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  static const std::string run = "model m\nseed 1\n";
  Choices choices(fuzz::as_text(data, size));
  const std::uint8_t kind = choices.byte();
  file.set(kind % 4 == 0   ? std::string(choices.rest())
           : kind % 4 == 1 ? std::string(kMagic) + std::string(choices.rest())
                           : sealed_then_broken(choices, run));
  fuzz::accepted([&] {
    std::vector<std::string> seen;
    {
      cli::Journal journal(file.path(), run);
      for (const std::string_view sentence : kSentences) {
        seen.push_back(replayed(journal, sentence));
        if (!seen.back().empty()) continue;
        const std::array results = {some_result()};
        journal.append({&sentence, 1}, results);
        cli::append_record(seen.back(), results[0]);
      }
    }
    cli::Journal again(file.path(), run);
    FUZZ_CHECK(again.resumed());
    for (std::size_t i = 0; i < kSentences.size(); ++i)
      FUZZ_CHECK(replayed(again, kSentences[i]) == seen[i]);
  });
  return 0;
}
