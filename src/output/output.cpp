#include "diffie/output.h"

#include <fmt/format.h>

#include <array>

#include "base/printable.h"
#include "base/utf8.h"
#include "diffie/error.h"
#include "output/jsonl.h"

namespace diffie {
namespace {

// A cell is valid UTF-8 and holds nothing that any reader takes for the end of a cell or a line, or
// that a terminal obeys: each control character is a blank.
void append_cell(std::string& out, std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    if (!decoded.valid) {
      out += "\xEF\xBF\xBD";
    } else if (base::is_control(decoded.code_point)) {
      out += ' ';
    } else {
      out.append(text, pos, decoded.length);
    }
    pos += decoded.length;
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
