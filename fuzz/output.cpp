// Any text through every writer, that for people too: UTF-8 without control characters, JSON where
// it should be JSON, as many columns as there should be.
#include "diffie/output.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "pretty.h"
#include "text/white_space.h"

namespace {

using namespace diffie;
using fuzz::Choices;

class Files : public OutputFiles {
 public:
  void write(std::string_view name, std::string_view bytes) override {
    texts[std::string(name)] += bytes;
  }
  void close(std::string_view) override {}
  std::map<std::string, std::string> texts;
};

std::vector<Span> spans_of(std::string_view text, Choices& choices) {
  std::vector<Span> spans;
  std::size_t reached = 0;
  for (std::uint64_t i = 1 + choices.below(3); i > 0 && reached < text.size(); --i) {
    const std::size_t begin = reached + choices.below(text.size() - reached);
    const std::size_t end = begin + 1 + choices.below(text.size() - begin);
    spans.push_back({begin, std::min(end, text.size())});
    reached = spans.back().end + 1;
  }
  return spans;
}

std::string quoted(std::string_view text, const std::vector<Span>& spans) {
  std::string out;
  for (const Span span : spans) {
    if (!out.empty()) out += ' ';
    out += text.substr(span.begin, span.end - span.begin);
  }
  return out;
}

SentenceResult result_for(std::string_view text, Choices& choices) {
  SentenceResult result;
  if (choices.byte() % 8 == 7) {
    result.error = ErrorCode::kExhausted;
    result.error_message = choices.text(20);
    return result;
  }
  for (std::uint64_t i = choices.below(4); i > 0 && !text.empty(); --i) {
    Extraction triple;
    triple.subject_spans = spans_of(text, choices);
    triple.relation_spans = spans_of(text, choices);
    triple.object_spans = spans_of(text, choices);
    triple.subject = quoted(text, triple.subject_spans);
    triple.relation = quoted(text, triple.relation_spans);
    triple.object = quoted(text, triple.object_spans);
    triple.confidence = (1 + choices.byte()) / 256.0;
    triple.factuality.modality = static_cast<Modality>(choices.below(5));
    if (choices.byte() % 4 == 3)
      triple.factuality.attributed_to = Attribution{triple.subject, triple.subject_spans};
    if (choices.byte() % 4 == 3)
      triple.circumstances.push_back({CircumstanceKind::kTime, triple.object, triple.object_spans});
    result.extractions.push_back(triple);
  }
  return result;
}

void check_columns(std::string_view text, std::size_t columns) {
  for (const std::string_view line : text::split_at(text, '\n'))
    FUZZ_CHECK(line.empty() || text::split_at(line, '\t').size() == columns);
  FUZZ_CHECK(text.empty() || text.ends_with('\n'));
}

// For people: nothing that a terminal obeys.
void check_shown(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    FUZZ_CHECK(decoded.valid);
    FUZZ_CHECK(text[pos] == '\n' || !(base::is_control(decoded.code_point) ||
                                      base::is_bidi_control(decoded.code_point)));
    pos += decoded.length;
  }
}

void check_text(OutputFormat format, std::string_view text) {
  FUZZ_CHECK(fuzz::is_utf8(text));
  // The text of a document is brat's own file.
  for (const char c : format == OutputFormat::kBrat ? "" : text)
    FUZZ_CHECK(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r');
  const bool is_table = format == OutputFormat::kTsv || format == OutputFormat::kCarb;
  for (std::size_t pos = 0; is_table && pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    FUZZ_CHECK(text[pos] == '\n' || text[pos] == '\t' || !base::is_control(decoded.code_point));
    pos += decoded.length;
  }
  if (format == OutputFormat::kJsonl || format == OutputFormat::kCorenlp) {
    for (const std::string_view line : text::split_at(text, '\n'))
      FUZZ_CHECK(line.empty() || nlohmann::json::accept(line));
  }
  if (format == OutputFormat::kHipporag || format == OutputFormat::kLightrag)
    FUZZ_CHECK(nlohmann::json::accept(text));
  if (format == OutputFormat::kTsv || format == OutputFormat::kCarb) check_columns(text, 5);
  if (format == OutputFormat::kNtriples) {
    for (const std::string_view line : text::split_at(text, '\n'))
      FUZZ_CHECK(line.empty() || line.starts_with('#') || line.ends_with(" ."));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<FormatInfo> formats = output_formats();
  Choices choices(fuzz::as_text(data, size));
  const std::uint64_t kind = choices.below(formats.size() + 1);
  const bool for_people = kind == formats.size();
  WriterOptions options;
  const std::uint8_t flags = choices.byte();
  options.document_offsets = (flags & 1) != 0;
  options.classic_reification = (flags & 2) != 0;
  options.source = (flags & 4) == 0;
  Files files;
  const cli::PrettyOptions pretty{.width = for_people ? choices.byte() : 0u,
                                  .name_documents = (flags & 8) != 0};
  const auto writer = for_people ? cli::make_pretty_writer(pretty, files)
                                 : make_writer(formats[kind].format, options, files);
  for (std::uint64_t document = 1 + choices.below(2); document > 0; --document) {
    const std::string id(choices.text(12));
    const std::string text(choices.text(200));
    fuzz::accepted([&] {
      writer->begin_document(id);
      std::size_t reached = 0, index = 0, character = 0;
      for (const Span span : split_sentences(text)) {
        const std::string_view all = text;
        const std::string_view gap = all.substr(reached, span.begin - reached);
        const std::string_view sentence = all.substr(span.begin, span.end - span.begin);
        writer->add({sentence, index++, span, character, gap}, result_for(sentence, choices));
        reached = span.end;
        character += sentence.size();
      }
      writer->end_document(std::string_view(text).substr(reached));
    });
  }
  writer->finish();
  for (const auto& [name, text] : files.texts) {
    if (for_people) {
      check_shown(text);
    } else {
      check_text(formats[kind].format, text);
    }
  }
  return 0;
}
