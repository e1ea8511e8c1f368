// WiRe57's two JSON files: the gold, {"document": [{"id", "sent", "tokens", "tuples"}, ...]}, and
// the extractions, {"sentence id": [{"arg1", "rel", "arg2", "arg3+", "extractor", "score"}, ...]}.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "lab/score/readers/readers.h"
#include "text/white_space.h"

namespace diffie::score {
namespace {

using json = nlohmann::ordered_json;

[[noreturn]] void fail(std::string reason) { throw Error(ErrorCode::kBadInput, reason); }

const json& field(const json& object, const char* name) {
  if (!object.is_object()) fail(fmt::format("an object with '{}' was wanted", name));
  const auto found = object.find(name);
  if (found == object.end()) fail(fmt::format("no '{}'", name));
  return *found;
}

std::string text_of(const json& value, const char* name) {
  if (!value.is_string()) fail(fmt::format("'{}' is no text", name));
  return value.get<std::string>();
}

GoldPart read_part(const json& object) {
  const json& words = field(object, "words");
  const json& indexes = field(object, "words_indexes");
  if (!words.is_array() || !indexes.is_array() || words.size() != indexes.size()) {
    fail("'words' and 'words_indexes' are not lists of one length");
  }
  GoldPart part;
  for (std::size_t i = 0; i < words.size(); ++i) {
    part.words.push_back(text_of(words[i], "words"));
    part.num_inferred += indexes[i] == "inf";
    if (i > 0) part.text += ' ';
    part.text += part.words.back();
  }
  return part;
}

GoldSentence read_sentence(const json& object) {
  GoldSentence sentence;
  sentence.id = text_of(field(object, "id"), "id");
  sentence.sentence = text_of(field(object, "sent"), "sent");
  for (const json& token : field(object, "tokens")) {
    if (!sentence.tokenized.empty()) sentence.tokenized += ' ';
    sentence.tokenized += text_of(token, "tokens");
  }
  for (const json& entry : field(object, "tuples")) {
    GoldTuple tuple;
    tuple.relation = read_part(field(entry, "rel"));
    tuple.arguments = {read_part(field(entry, "arg1")), read_part(field(entry, "arg2"))};
    for (const json& further : field(entry, "arg3+")) tuple.arguments.push_back(read_part(further));
    sentence.tuples.push_back(std::move(tuple));
  }
  sentence.num_facts = sentence.tuples.size();
  return sentence;
}

PredictedTuple read_extraction(const json& object) {
  PredictedTuple tuple;
  tuple.relation = text_of(field(object, "rel"), "rel");
  tuple.arguments = {text_of(field(object, "arg1"), "arg1"),
                     text_of(field(object, "arg2"), "arg2")};
  if (const auto further = object.find("arg3+"); further != object.end()) {
    for (const json& argument : *further) tuple.arguments.push_back(text_of(argument, "arg3+"));
  }
  if (const auto score = object.find("score"); score != object.end() && score->is_number()) {
    tuple.confidence = score->get<double>();
  }
  return tuple;
}

json parse_object(const std::string& text) {
  try {
    json parsed = json::parse(text);
    if (parsed.is_object()) return parsed;
  } catch (const json::exception& error) {
    const auto* parse_error = dynamic_cast<const json::parse_error*>(&error);
    const std::size_t byte = parse_error == nullptr ? 0 : std::min(parse_error->byte, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
    fail(fmt::format("not JSON (at line {})", line));
  }
  fail("not a JSON object");
}

}  // namespace

GoldStandard read_wire57_gold(const std::string& text, BadLines& bad) {
  GoldStandard gold;
  try {
    const json documents = parse_object(text);
    for (const auto& [document, sentences] : documents.items()) {
      for (const json& object : sentences) {
        try {
          gold.sentences.push_back(read_sentence(object));
        } catch (const Error& error) {
          bad.add(0, fmt::format("sentence {} of '{}': {}", gold.sentences.size() + 1, document,
                                 error.what()));
        }
      }
    }
  } catch (const Error& error) {
    bad.add(0, error.what());
  }
  return gold;
}

std::vector<SystemOutput> read_wire57_extractions(const std::string& text,
                                                  const std::string& extractor, BadLines& bad) {
  std::map<std::string, TupleSink> sinks;
  try {
    const json by_sentence = parse_object(text);
    for (const auto& [id, extractions] : by_sentence.items()) {
      for (const json& object : extractions) {
        try {
          const std::string name = object.is_object() && object.contains("extractor")
                                       ? text_of(object["extractor"], "extractor")
                                       : "unnamed";
          if (!extractor.empty() && name != extractor) continue;
          sinks[name].add_by_id(id, read_extraction(object));
        } catch (const Error& error) {
          bad.add(0, fmt::format("sentence '{}': {}", id, error.what()));
        }
      }
    }
  } catch (const Error& error) {
    bad.add(0, error.what());
  }
  std::vector<SystemOutput> outputs;
  for (auto& [name, sink] : sinks) outputs.push_back({name, sink.take(), {}});
  return outputs;
}

}  // namespace diffie::score
