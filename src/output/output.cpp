#include "diffie/output.h"

#include <fmt/format.h>

#include <array>

#include "base/utf8.h"
#include "diffie/error.h"
#include "output/jsonl.h"

namespace diffie {
namespace {

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
    output::JsonlSource told;
    if (source) told = {source->document, source->bytes};
    output::append_jsonl(out, sentence, result, source ? &told : nullptr);
    return;
  }
  if (format != OutputFormat::kTsv && format != OutputFormat::kCarb)
    throw Error(ErrorCode::kInvalidArgument, "this output format needs a writer");
  for (const Extraction& extraction : result.extractions) {
    append_row(out, format, sentence, extraction);
  }
}

}  // namespace diffie
