#include "pretty.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/printable.h"
#include "base/utf8.h"
#include "display_width.h"

namespace diffie::cli {
namespace {

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::array<std::string_view, 3> kRoleColours = {"\x1b[34m", "\x1b[32m", "\x1b[35m"};

// White space, line breaks and control characters become one blank, what would turn the text around
// is shown as \u202e: a terminal must not obey the text.
std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    const bool blank = decoded.code_point == ' ' || base::is_control(decoded.code_point);
    if (!blank) {
      out += base::one_line_shown(text.substr(pos, decoded.length));
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
    pos += decoded.length;
  }
  return out;
}

using Cells = std::array<std::string, 3>;

std::string quoted_relation(const Extraction& extraction, std::string_view sentence) {
  std::vector<std::string_view> spans;
  for (const Span& span : extraction.relation_spans)
    spans.push_back(sentence.substr(span.begin, span.end - span.begin));
  return fmt::format("{}", fmt::join(spans, " "));
}

// The relation with its implied words in brackets, which stand before and after what is quoted.
std::string marked_relation(const Extraction& extraction, std::string_view sentence) {
  const std::string quoted = quoted_relation(extraction, sentence);
  std::vector<std::string> parts;
  std::size_t place = 0;  // in the relation, where what is not yet among the parts begins
  bool has_quoted = quoted.empty();
  for (const std::string& word : extraction.implied) {
    if (!has_quoted && extraction.relation.compare(place, quoted.size(), quoted) == 0) {
      parts.push_back(quoted);
      has_quoted = true;
    }
    parts.push_back(fmt::format("[{}]", word));
    place += word.size() + 1;
  }
  if (!has_quoted) parts.push_back(quoted);
  return fmt::format("{}", fmt::join(parts, " "));
}

void append_styled(std::string& out, std::string_view style, std::string_view text, bool colour) {
  if (colour) out += style;
  out += text;
  if (colour) out += kReset;
}

// "[not] [possible] [according to X] [time: in 1843]"; nothing for what is asserted and has no
// circumstances.
std::string marks(const Extraction& extraction) {
  const Factuality& factuality = extraction.factuality;
  constexpr std::array<std::string_view, 5> kModalities = {"", "  [possible]", "  [question]",
                                                           "  [order]", "  [if]"};
  std::string text = factuality.polarity == Polarity::kNegative ? "  [not]" : "";
  text += kModalities[static_cast<std::size_t>(factuality.modality)];
  if (factuality.attributed_to)
    text += fmt::format("  [according to {}]", printable(factuality.attributed_to->text));
  for (const Circumstance& circumstance : extraction.circumstances)
    text += fmt::format("  [{}: {}]", name_of(circumstance.kind), printable(circumstance.text));
  return text;
}

void append_triple(std::string& out, const Extraction& extraction, const Cells& cells,
                   const std::array<std::size_t, 3>& widths, bool colour) {
  append_styled(out, kDim, fmt::format("  {:.2f}  ", extraction.confidence), colour);
  for (std::size_t slot = 0; slot < cells.size(); ++slot) {
    append_styled(out, kRoleColours[slot], cells[slot], colour);
    if (slot == cells.size() - 1) break;
    const std::size_t used = display_width(cells[slot]);
    out.append(widths[slot] > used ? widths[slot] - used : 0, ' ');
    append_styled(out, kDim, "  |  ", colour);
  }
  if (const std::string said = marks(extraction); !said.empty())
    append_styled(out, kDim, said, colour);
  out += '\n';
}

}  // namespace

void append_pretty(std::string& out, std::string_view sentence, const SentenceResult& result,
                   bool colour, std::size_t width) {
  append_styled(out, kBold, printable(sentence), colour);
  out += '\n';
  std::vector<Cells> rows;
  for (const Extraction& extraction : result.extractions) {
    rows.push_back({printable(extraction.subject), printable(marked_relation(extraction, sentence)),
                    printable(extraction.object)});
  }
  // A very long subject would push the others out of sight: beyond a third of the terminal a cell
  // is no longer aligned to.
  const std::size_t widest = width == 0 ? 32 : std::max<std::size_t>(8, width / 3);
  std::array<std::size_t, 3> widths = {};
  for (const Cells& cells : rows) {
    for (std::size_t slot = 0; slot < cells.size(); ++slot) {
      const std::size_t cell = display_width(cells[slot]);
      if (cell <= widest) widths[slot] = std::max(widths[slot], cell);
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    append_triple(out, result.extractions[row], rows[row], widths, colour);
  }
  if (!rows.empty()) return;
  const std::string why =
      result.error ? fmt::format("  (failed: {})", printable(result.error_message)) : "";
  append_styled(out, kDim, result.error ? why : "  (nothing found)", colour);
  out += '\n';
}

namespace {

class PrettyWriter final : public Writer {
 public:
  PrettyWriter(const PrettyOptions& options, OutputFiles& files)
      : options_(options), files_(files) {}

  void begin_document(std::string_view id) override {
    if (!options_.name_documents) return;
    text_.clear();
    append_styled(text_, kDim, fmt::format("==> {} <==", base::one_line_shown(id)),
                  options_.colour);
    files_.write("", text_ + '\n');
  }
  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    text_.clear();
    append_pretty(text_, sentence.text, result, options_.colour, options_.width);
    files_.write("", text_);
  }
  void end_document(std::string_view /*rest*/) override {}
  void finish() override {}

 private:
  PrettyOptions options_;
  OutputFiles& files_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Writer> make_pretty_writer(const PrettyOptions& options, OutputFiles& files) {
  return std::make_unique<PrettyWriter>(options, files);
}

}  // namespace diffie::cli
