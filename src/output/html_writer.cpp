// A page that needs nothing but itself: the sentences with the roles coloured, the triples of each
// below it. Pointing at a triple shows its roles alone, by style rules; there is no script.
#include <fmt/format.h>

#include <algorithm>

#include "output/marks.h"
#include "output/slots.h"
#include "output/stream_writer.h"
#include "output/writers.h"
#include "output/xml_text.h"

namespace diffie::output {
namespace {

constexpr std::size_t kPointedAt = 24;  // triples of a sentence that can be shown alone
constexpr std::string_view kRoles = "sro";

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Triples</title>
<style>
:root{--s:#cfe2ff;--r:#cdeccf;--o:#f1d5f6;--faint:#666;--line:#ddd}
@media (prefers-color-scheme:dark){:root{--s:#234a7d;--r:#235a31;--o:#612f6d;--faint:#aaa;--line:#444}}
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
h2{border-bottom:1px solid var(--line);font-size:1.1rem;overflow-wrap:anywhere}
p{margin:1rem 0 .2rem;white-space:pre-wrap;overflow-wrap:anywhere}
ol{list-style:none;margin:0;padding:0 0 0 1rem;font-size:.9rem}
li{padding:.1rem 0;overflow-wrap:anywhere}
.s,.r,.o{border-radius:.2rem;padding:0 .1rem}
.s{background:var(--s)}.r{background:var(--r)}.o{background:var(--o)}
.confidence,.none{color:var(--faint);font-variant-numeric:tabular-nums}
em{border:1px solid var(--faint);border-radius:.6rem;font-size:.8em;font-style:normal;padding:0 .4rem}
.denied bdi{outline:1px solid #c44}
.open bdi{outline:1px dashed var(--faint)}
.error{color:#c44}
.sentence:has(li:is(:hover,:focus)) p span{background:none}
)";

class HtmlWriter final : public StreamWriter {
 public:
  explicit HtmlWriter(OutputFiles& files) : StreamWriter(files) {
    out_ = kHead;
    for (std::size_t triple = 1; triple <= kPointedAt; ++triple) {
      for (const char role : kRoles) {
        out_ += fmt::format(
            ".sentence:has(li:nth-child({0}):is(:hover,:focus)) p .{1}{0}"
            "{{background:var(--{1})}}\n",
            triple, role);
      }
    }
    out_ +=
        "</style>\n</head>\n<body>\n<p><span class=\"s\">subject</span> "
        "<span class=\"r\">relation</span> <span class=\"o\">object</span></p>\n";
  }

  void begin_document(std::string_view id) override {
    out_ += "<article>\n<h2 dir=\"auto\">";
    append_xml_text(out_, id);
    out_ += "</h2>\n";
    flush();
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    out_ += "<section class=\"sentence\">\n";
    add_text(sentence.text, result.extractions);
    if (result.error) {
      out_ += "<div class=\"error\">";
      append_xml_text(out_, result.error_message);
      out_ += "</div>\n";
    } else if (result.extractions.empty()) {
      out_ += "<div class=\"none\">nothing found</div>\n";
    } else {
      out_ += "<ol>\n";
      for (const Extraction& triple : result.extractions) add_triple(triple);
      out_ += "</ol>\n";
    }
    out_ += "</section>\n";
    flush();
  }

  void end_document(std::string_view /*rest*/) override {
    out_ += "</article>\n";
    flush();
  }

  void finish() override {
    out_ += "</body>\n</html>\n";
    flush();
  }

 private:
  // The text in pieces that are inside or outside of each span as a whole.
  void add_text(std::string_view text, const std::vector<Extraction>& triples) {
    std::vector<std::size_t> edges = {0, text.size()};
    for (const Extraction& triple : triples) {
      for (const Slot& slot : kSlots) {
        for (const Span& span : triple.*slot.spans) {
          edges.push_back(span.begin);
          edges.push_back(span.end);
        }
      }
    }
    std::sort(edges.begin(), edges.end());
    out_ += "<p dir=\"auto\">";
    for (std::size_t edge = 1; edge < edges.size(); ++edge) {
      const Span piece{edges[edge - 1], edges[edge]};
      if (piece.begin == piece.end) continue;
      const std::string classes = classes_of(piece, triples);
      if (!classes.empty()) out_ += fmt::format("<span class=\"{}\">", classes);
      append_xml_text(out_, text.substr(piece.begin, piece.end - piece.begin));
      if (!classes.empty()) out_ += "</span>";
    }
    out_ += "</p>\n";
  }

  // "s s1 o3": the role in the best triple, then that in each.
  static std::string classes_of(Span piece, const std::vector<Extraction>& triples) {
    std::string classes;
    for (std::size_t index = 0; index < triples.size(); ++index) {
      for (std::size_t slot = 0; slot < kSlots.size(); ++slot) {
        const std::vector<Span>& spans = triples[index].*kSlots[slot].spans;
        const bool inside = std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
          return span.begin <= piece.begin && piece.end <= span.end;
        });
        if (!inside) continue;
        if (classes.empty()) classes = kRoles[slot];
        if (index < kPointedAt) classes += fmt::format(" {}{}", kRoles[slot], index + 1);
      }
    }
    return classes;
  }

  void add_triple(const Extraction& triple) {
    const Factuality& factuality = triple.factuality;
    const bool denied = factuality.polarity == Polarity::kNegative;
    out_ += fmt::format("<li tabindex=\"0\" class=\"{}\">", denied                  ? "denied"
                                                            : factuality.asserted() ? "asserted"
                                                                                    : "open");
    out_ += fmt::format("<span class=\"confidence\">{:.2f}</span>", triple.confidence);
    for (std::size_t slot = 0; slot < kSlots.size(); ++slot) {
      out_ += fmt::format(" <bdi class=\"{}\">", kRoles[slot]);
      append_xml_text(out_, triple.*kSlots[slot].text);
      out_ += "</bdi>";
    }
    for (const std::string& mark : triple_marks(triple)) {
      out_ += " <em>";
      append_xml_text(out_, mark);
      out_ += "</em>";
    }
    out_ += "</li>\n";
  }
};

}  // namespace

std::unique_ptr<Writer> make_html_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<HtmlWriter>(files);
}

}  // namespace diffie::output
