// Parts of triples as JSON, the same in every format that has them.
#pragma once

#include <string>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie::output {

// What stands between the quotes of a JSON string, whose pieces are whole characters.
void append_json_content(std::string& out, std::string_view piece);

// [[0, 4], [7, 9]]
void append_json_spans(std::string& out, const std::vector<Span>& spans);

// {"polarity": "positive", "modality": "certain", "attributed_to": null}
void append_json_factuality(std::string& out, const Factuality& factuality);

// [{"kind": "time", "text": "in 1843", "spans": [[0, 7]]}]
void append_json_circumstances(std::string& out, const std::vector<Circumstance>& circumstances);

// What a triple has besides its words: "confidence": 0.75, "factuality": {...}, and
// "circumstances": [...] where there are any.
void append_json_details(std::string& out, const Extraction& triple);

}  // namespace diffie::output
