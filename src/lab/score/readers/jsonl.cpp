// What `diffie extract` writes: one JSON object per line,
// {"sentence": "...", "extractions": [{"subject", "relation", "object", "confidence"}, ...]}.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

using nlohmann::json;

std::string text_field(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) {
    throw Error(ErrorCode::kBadInput, fmt::format("no text '{}'", name));
  }
  return found->get<std::string>();
}

PredictedTuple read_extraction(const json& extraction) {
  if (!extraction.is_object()) throw Error(ErrorCode::kBadInput, "an extraction is no object");
  PredictedTuple tuple;
  tuple.relation = text_field(extraction, "relation");
  tuple.arguments = {text_field(extraction, "subject"), text_field(extraction, "object")};
  if (const auto found = extraction.find("confidence"); found != extraction.end()) {
    if (!found->is_number()) throw Error(ErrorCode::kBadInput, "'confidence' is no number");
    tuple.confidence = found->get<double>();
    if (!std::isfinite(tuple.confidence)) {
      throw Error(ErrorCode::kBadInput, "'confidence' is not finite");
    }
  }
  return tuple;
}

void read_object(const json& object, TupleSink& sink) {
  if (!object.is_object()) throw Error(ErrorCode::kBadInput, "no JSON object");
  const std::string sentence = text_field(object, "sentence");
  const auto extractions = object.find("extractions");
  // A sentence that failed may have "error" alone (ours also has an empty list): it is one without
  // extractions.
  if (extractions == object.end() && object.contains("error")) return sink.add_empty(sentence);
  if (extractions == object.end() || !extractions->is_array()) {
    throw Error(ErrorCode::kBadInput, "no list 'extractions'");
  }
  std::vector<PredictedTuple> tuples;
  for (const json& extraction : *extractions) tuples.push_back(read_extraction(extraction));
  sink.add_empty(sentence);
  for (PredictedTuple& tuple : tuples) sink.add(sentence, std::move(tuple));
}

}  // namespace

void read_jsonl(const std::vector<Line>& lines, TupleSink& sink, BadLines& bad) {
  for (const Line& line : lines) {
    if (text::strip(line.text).empty()) continue;
    try {
      read_object(json::parse(line.text), sink);
    } catch (const json::exception&) {
      bad.add(line.number, "not JSON");
    } catch (const Error& error) {
      bad.add(line.number, error.what());
    }
  }
}

}  // namespace diffie::score
