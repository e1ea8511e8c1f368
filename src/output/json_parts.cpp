#include "output/json_parts.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json_text.h"

namespace diffie::output {

void append_json_content(std::string& out, std::string_view piece) {
  std::string quoted;
  base::append_json_string(quoted, piece);
  out.append(quoted, 1, quoted.size() - 2);
}

void append_json_spans(std::string& out, const std::vector<Span>& spans) {
  out += '[';
  for (std::size_t index = 0; index < spans.size(); ++index) {
    fmt::format_to(std::back_inserter(out), "{}[{}, {}]", index == 0 ? "" : ", ",
                   spans[index].begin, spans[index].end);
  }
  out += ']';
}

void append_json_factuality(std::string& out, const Factuality& factuality) {
  fmt::format_to(std::back_inserter(out),
                 "{{\"polarity\": \"{}\", \"modality\": \"{}\", \"attributed_to\": ",
                 name_of(factuality.polarity), name_of(factuality.modality));
  if (factuality.attributed_to) {
    out += "{\"text\": ";
    base::append_json_string(out, factuality.attributed_to->text);
    out += ", \"spans\": ";
    append_json_spans(out, factuality.attributed_to->spans);
    out += "}}";
  } else {
    out += "null}";
  }
}

void append_json_circumstances(std::string& out, const std::vector<Circumstance>& circumstances) {
  out += '[';
  for (const Circumstance& each : circumstances) {
    fmt::format_to(std::back_inserter(out),
                   "{}{{\"kind\": \"{}\", \"text\": ", out.back() == '[' ? "" : ", ",
                   name_of(each.kind));
    base::append_json_string(out, each.text);
    out += ", \"spans\": ";
    append_json_spans(out, each.spans);
    out += '}';
  }
  out += ']';
}

void append_json_details(std::string& out, const Extraction& triple) {
  fmt::format_to(std::back_inserter(out),
                 "\"confidence\": {:.6g}, \"factuality\": ", triple.confidence);
  append_json_factuality(out, triple.factuality);
  if (triple.circumstances.empty()) return;
  out += ", \"circumstances\": ";
  append_json_circumstances(out, triple.circumstances);
}

}  // namespace diffie::output
