#include "output/jsonl.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "base/json_text.h"
#include "output/document_places.h"
#include "output/json_parts.h"
#include "output/slots.h"

namespace diffie::output {
namespace {

using Move = std::vector<Span> (DocumentPlaces::*)(const std::vector<Span>&) const;

// {"subject": [[0, 4]], ...}, with whose claim it is where it is somebody's, and the
// circumstances where there are any.
void append_moved_spans(std::string& out, const Extraction& extraction,
                        const DocumentPlaces& places, Move move) {
  out += '{';
  for (const Slot& slot : kSlots) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\": ", out.back() == '{' ? "" : ", ", slot.name);
    append_json_spans(out, (places.*move)(extraction.*slot.spans));
  }
  if (const auto& claimed = extraction.factuality.attributed_to) {
    out += ", \"attributed_to\": ";
    append_json_spans(out, (places.*move)(claimed->spans));
  }
  for (std::size_t index = 0; index < extraction.circumstances.size(); ++index) {
    out += index == 0 ? ", \"circumstances\": [" : ", ";
    append_json_spans(out, (places.*move)(extraction.circumstances[index].spans));
  }
  if (!extraction.circumstances.empty()) out += ']';
  out += '}';
}

void append_extraction(std::string& out, const Extraction& extraction,
                       const std::optional<DocumentPlaces>& places) {
  out += '{';
  for (const Slot& slot : kSlots) {
    fmt::format_to(std::back_inserter(out), "\"{}\": ", slot.name);
    base::append_json_string(out, extraction.*slot.text);
    out += ", ";
  }
  fmt::format_to(std::back_inserter(out), "\"confidence\": {:.6g}, \"spans\": {{",
                 extraction.confidence);
  for (std::size_t index = 0; index < kSlots.size(); ++index) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\": ", index == 0 ? "" : ", ",
                   kSlots[index].name);
    append_json_spans(out, extraction.*kSlots[index].spans);
  }
  out += '}';
  if (places) {
    out += ", \"document_bytes\": ";
    append_moved_spans(out, extraction, *places, &DocumentPlaces::bytes);
    out += ", \"document_characters\": ";
    append_moved_spans(out, extraction, *places, &DocumentPlaces::characters);
  }
  for (std::size_t index = 0; index < extraction.implied.size(); ++index) {
    out += index == 0 ? ", \"implied\": [" : ", ";
    base::append_json_string(out, extraction.implied[index]);
  }
  if (!extraction.implied.empty()) out += ']';
  out += ", \"factuality\": ";
  append_json_factuality(out, extraction.factuality);
  if (!extraction.circumstances.empty()) {
    out += ", \"circumstances\": ";
    append_json_circumstances(out, extraction.circumstances);
  }
  out += '}';
}

void append_source(std::string& out, const JsonlSource& source,
                   const std::optional<DocumentPlaces>& places) {
  out += ", \"source\": {\"document\": ";
  base::append_json_string(out, source.document);
  if (source.sentence)
    fmt::format_to(std::back_inserter(out), ", \"sentence\": {}", source.sentence->index);
  fmt::format_to(std::back_inserter(out), ", \"bytes\": [{}, {}]", source.bytes.begin,
                 source.bytes.end);
  if (places) {
    const Span characters = places->sentence_characters();
    fmt::format_to(std::back_inserter(out), ", \"characters\": [{}, {}]", characters.begin,
                   characters.end);
  }
  out += '}';
}

}  // namespace

void append_jsonl(std::string& out, std::string_view sentence, const SentenceResult& result,
                  const JsonlSource* source) {
  std::optional<DocumentPlaces> places;
  if (source && source->document_offsets) places.emplace(*source->sentence);
  out += "{\"sentence\": ";
  base::append_json_string(out, sentence);
  out += ", \"extractions\": [";
  for (std::size_t index = 0; index < result.extractions.size(); ++index) {
    if (index > 0) out += ", ";
    append_extraction(out, result.extractions[index], places);
  }
  out += ']';
  if (source) append_source(out, *source, places);
  if (result.error) {
    out += ", \"error\": ";
    base::append_json_string(out, result.error_message);
  }
  out += "}\n";
}

}  // namespace diffie::output
