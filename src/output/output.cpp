#include "diffie/output.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "base/json_text.h"
#include "base/utf8.h"

namespace diffie {
namespace {

struct Slot {
  const char* name;
  std::string Extraction::*text;
  std::vector<Span> Extraction::*spans;
};

constexpr std::array<Slot, 3> kSlots = {{
    {"subject", &Extraction::subject, &Extraction::subject_spans},
    {"relation", &Extraction::relation, &Extraction::relation_spans},
    {"object", &Extraction::object, &Extraction::object_spans},
}};

void append_spans(std::string& out, const std::vector<Span>& spans) {
  out += '[';
  for (std::size_t index = 0; index < spans.size(); ++index) {
    fmt::format_to(std::back_inserter(out), "{}[{}, {}]", index == 0 ? "" : ", ",
                   spans[index].begin, spans[index].end);
  }
  out += ']';
}

void append_json_factuality(std::string& out, const Factuality& factuality) {
  fmt::format_to(
      std::back_inserter(out),
      ", \"factuality\": {{\"polarity\": \"{}\", \"modality\": \"{}\", \"attributed_to\": ",
      name_of(factuality.polarity), name_of(factuality.modality));
  if (factuality.attributed_to) {
    out += "{\"text\": ";
    base::append_json_string(out, factuality.attributed_to->text);
    out += ", \"spans\": ";
    append_spans(out, factuality.attributed_to->spans);
    out += "}}";
  } else {
    out += "null}";
  }
}

void append_json_extraction(std::string& out, const Extraction& extraction) {
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
    append_spans(out, extraction.*kSlots[index].spans);
  }
  out += '}';
  for (std::size_t index = 0; index < extraction.implied.size(); ++index) {
    out += index == 0 ? ", \"implied\": [" : ", ";
    base::append_json_string(out, extraction.implied[index]);
  }
  if (!extraction.implied.empty()) out += ']';
  append_json_factuality(out, extraction.factuality);
  out += '}';
}

void append_jsonl(std::string& out, std::string_view sentence, const SentenceResult& result,
                  const std::optional<Source>& source) {
  out += "{\"sentence\": ";
  base::append_json_string(out, sentence);
  out += ", \"extractions\": [";
  for (std::size_t index = 0; index < result.extractions.size(); ++index) {
    if (index > 0) out += ", ";
    append_json_extraction(out, result.extractions[index]);
  }
  out += ']';
  if (source) {
    out += ", \"source\": {\"document\": ";
    base::append_json_string(out, source->document);
    fmt::format_to(std::back_inserter(out), ", \"bytes\": [{}, {}]}}", source->bytes.begin,
                   source->bytes.end);
  }
  if (result.error) {
    out += ", \"error\": ";
    base::append_json_string(out, result.error_message);
  }
  out += "}\n";
}

// A cell holds no tab and no line break, and is valid UTF-8.
void append_cell(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  base::append_valid_utf8(out, text);
  for (std::size_t index = begin; index < out.size(); ++index) {
    if (out[index] == '\t' || out[index] == '\n' || out[index] == '\r') out[index] = ' ';
  }
}

void append_row(std::string& out, OutputFormat format, std::string_view sentence,
                const Extraction& extraction) {
  const std::string confidence = fmt::format("{:.6g}", extraction.confidence);
  const std::array<std::string_view, 5> tsv = {confidence, extraction.subject, extraction.relation,
                                               extraction.object, sentence};
  const std::array<std::string_view, 5> carb = {sentence, confidence, extraction.relation,
                                                extraction.subject, extraction.object};
  const auto& cells = format == OutputFormat::kTsv ? tsv : carb;
  for (std::size_t index = 0; index < cells.size(); ++index) {
    if (index > 0) out += '\t';
    append_cell(out, cells[index]);
  }
  out += '\n';
}

}  // namespace

void append_result(std::string& out, OutputFormat format, std::string_view sentence,
                   const SentenceResult& result, const std::optional<Source>& source) {
  if (format == OutputFormat::kJsonl) {
    append_jsonl(out, sentence, result, source);
    return;
  }
  for (const Extraction& extraction : result.extractions) {
    append_row(out, format, sentence, extraction);
  }
}

}  // namespace diffie
