#include "extract_request.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/field_error.h"
#include "base/printable.h"
#include "files/strict_json.h"
#include "http_error.h"
#include "writer_options.h"

namespace diffie::server {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 200'000;
constexpr std::int64_t kMaxTrajectories = 64;
constexpr std::int64_t kMaxDeadlineMs = 3'600'000;

// Numbers, true, false and null as they are.
std::string shown(const json& found) {
  return found.is_structured() || found.is_string() ? found.type_name() : found.dump();
}

[[noreturn]] void wrong_type(const std::string& field, const std::string& wanted,
                             const json& found) {
  throw bad_field(field, fmt::format("{} is {}, must be {}", field, shown(found), wanted));
}

// Its digits; 7.0 is a whole number, too, as in a JSON schema. Empty: it is none, or has more than
// 64 bits.
std::string whole_number(const json& value) {
  if (value.is_number_integer()) return value.dump();
  const double number = value.is_number() ? value.get<double>() : 0.5;
  if (number != std::floor(number) || number < -0x1p63 || number >= 0x1p64) return "";
  return number < 0 ? fmt::format("{}", static_cast<std::int64_t>(number))
                    : fmt::format("{}", static_cast<std::uint64_t>(number));
}

const std::string& text_of(const json& value, const std::string& field) {
  if (!value.is_string()) wrong_type(field, "a string", value);
  return value.get_ref<const std::string&>();
}

const std::string& short_text_of(const json& value, const std::string& field, std::size_t most) {
  const std::string& text = text_of(value, field);
  if (text.size() <= most) return text;
  throw bad_field(field, fmt::format("{} has {} bytes, may have {}", field, text.size(), most));
}

bool flag_of(const json& value, const std::string& field) {
  if (!value.is_boolean()) wrong_type(field, "true or false", value);
  return value.get<bool>();
}

std::int64_t integer_of(const json& value, const std::string& field, std::int64_t low,
                        std::int64_t high) {
  const std::string wanted = fmt::format("a whole number from {} to {}", low, high);
  const std::string text = whole_number(value);
  std::int64_t number = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < low || number > high) wrong_type(field, wanted, value);
  return number;
}

// A setting's value as set_setting reads it.
std::string setting_text(const SettingInfo& info, const json& value, const std::string& field) {
  switch (info.kind) {
    case SettingKind::kFlag:
      return flag_of(value, field) ? "true" : "false";
    case SettingKind::kName:
      return text_of(value, field);
    case SettingKind::kInteger:
    case SettingKind::kSeed: {
      std::string text = whole_number(value);
      const bool seed = info.kind == SettingKind::kSeed;
      const std::string wanted = seed ? "from 0 to 2^64 - 1" : info.allowed;
      if (text.empty()) wrong_type(field, "a whole number " + wanted, value);
      return text;
    }
    case SettingKind::kNumber:
      if (!value.is_number()) wrong_type(field, "a number", value);
      return value.dump();
    case SettingKind::kList:
      break;
  }
  if (!value.is_array()) wrong_type(field, "an array of whole numbers", value);
  if (value.size() > kMaxListNumbers) {
    throw bad_field(
        field, fmt::format("{} has {} numbers, may have {}", field, value.size(), kMaxListNumbers));
  }
  std::string list;
  for (const json& part : value) {
    const std::string text = whole_number(part);
    if (text.empty()) {
      throw bad_field(field, fmt::format("{}[{}] is {}, must be a whole number", field,
                                         &part - &value[0], shown(part)));
    }
    list += (list.empty() ? "" : ",") + text;
  }
  return list.empty() ? "none" : list;
}

void add_setting(const std::string& name, const json& value, Asked& asked) {
  const std::string field = "options." + base::printable(name);
  for (const SettingInfo& info : setting_infos()) {
    if (info.name != name) continue;
    if (is_servers_own(name))
      throw bad_field(field, fmt::format("{} is the server's to choose", name));
    std::string text = setting_text(info, value, field);
    Settings probe;
    try {
      set_setting(probe, name, text);
    } catch (const Error& error) {
      throw bad_field(field, error.what());
    }
    asked.settings.emplace_back(name, std::move(text));
    return;
  }
  throw bad_field(field, fmt::format("no option is named '{}'", base::printable(name)));
}

// `writer` is null where the answer is not written in a format.
void read_options(const json& options, Asked& asked, WriterOptions* writer) {
  if (!options.is_object()) wrong_type("options", "an object", options);
  for (const auto& [name, value] : options.items()) {
    const std::string field = "options." + base::printable(name);
    if (name == "preset") {
      asked.preset = text_of(value, field);
    } else if (writer != nullptr && name == "document_offsets") {
      writer->document_offsets = flag_of(value, field);
    } else if (writer != nullptr && name == "source") {
      writer->source = flag_of(value, field);
    } else if (writer != nullptr && name == "classic_reification") {
      writer->classic_reification = flag_of(value, field);
    } else if (writer != nullptr && name == "base_iri") {
      writer->base_iri = short_text_of(value, field, kMaxNameBytes);
    } else {
      add_setting(name, value, asked);
    }
  }
}

void read_documents(const json& list, ExtractRequest& request) {
  if (!list.is_array()) wrong_type("documents", "an array", list);
  std::set<std::string> ids;
  for (std::size_t index = 0; index < list.size(); ++index) {
    const std::string field = fmt::format("documents[{}]", index);
    const json& document = list[index];
    if (!document.is_object()) wrong_type(field, "an object", document);
    for (const auto& [name, value] : document.items()) {
      if (name != "id" && name != "text")
        throw bad_field(fmt::format("{}.{}", field, base::printable(name)), "no such field");
    }
    if (!document.contains("text")) throw bad_field(field + ".text", field + ".text is missing");
    InputDocument input;
    input.id = document.contains("id") ? short_text_of(document["id"], field + ".id", kMaxNameBytes)
                                       : std::to_string(index);
    input.text = text_of(document["text"], field + ".text");
    if (!ids.insert(input.id).second)
      throw bad_field(field + ".id",
                      fmt::format("two documents have the id '{}'", base::printable(input.id)));
    request.documents.push_back(std::move(input));
  }
}

void read_sentences(const json& list, ExtractRequest& request) {
  if (!list.is_array()) wrong_type("sentences", "an array", list);
  request.running_text = false;
  for (std::size_t index = 0; index < list.size(); ++index)
    request.documents.push_back(
        {"", short_text_of(list[index], fmt::format("sentences[{}]", index), kMaxSentenceBytes)});
}

json parse_body(std::string_view body) {
  json value;
  try {
    value = files::parse_strict_json(body, "body", {kMaxDepth, kMaxValues});
  } catch (const base::FieldError& error) {
    throw bad_field(base::printable(error.field(), 200), error.what());
  } catch (const Error& error) {
    throw bad_field("", error.what());
  }
  if (!value.is_object()) {
    const files::TakesApart at_the_end(value);
    throw bad_field("", fmt::format("the body is {}, must be an object", value.type_name()));
  }
  return value;
}

// Exactly one of them is there.
void check_inputs(const json& body) {
  const std::size_t inputs = body.count("text") + body.count("documents") + body.count("sentences");
  if (inputs != 1) {
    throw bad_field(inputs == 0 ? "text" : "",
                    "exactly one of text, documents and sentences must be given");
  }
}

// Who asks for what the answer has no place for is told.
void check_options_are_read(const ExtractRequest& request, bool source) {
  const std::string format = request.format == "json" ? "jsonl" : request.format;
  if (source && !request.running_text)
    throw bad_field("options.source", "options.source is for text and documents, not sentences");
  std::optional<cli::UnusedOption> unused = cli::unused_option(request.writer, format);
  if (!unused && source && format != "jsonl") unused = {"source", "jsonl"};
  if (!unused) return;
  const std::string field = "options." + unused->name;
  const std::string formats = unused->formats == "jsonl" ? "json or jsonl" : unused->formats;
  throw bad_field(field, fmt::format("{} is for the format {}, not {}", field, formats,
                                     base::printable(request.format)));
}

}  // namespace

bool is_servers_own(std::string_view setting) {
  return setting == "threads" || setting == "device" || setting == "devices" ||
         setting == "precision";
}

ExtractRequest parse_extract_request(std::string_view text) {
  json body = parse_body(text);
  const files::TakesApart at_the_end(body);
  check_inputs(body);
  ExtractRequest request;
  for (const auto& [name, value] : body.items()) {
    if (name == "text") {
      request.documents.push_back({"", text_of(value, name)});
    } else if (name == "documents") {
      read_documents(value, request);
    } else if (name == "sentences") {
      read_sentences(value, request);
    } else if (name == "model") {
      request.asked.model = text_of(value, name);
    } else if (name == "format") {
      request.format = text_of(value, name);
    } else if (name == "options") {
      read_options(value, request.asked, &request.writer);
    } else if (name == "deadline_ms") {
      request.deadline = std::chrono::milliseconds(integer_of(value, name, 1, kMaxDeadlineMs));
    } else {
      throw bad_field(base::printable(name),
                      fmt::format("no field is named '{}'", base::printable(name)));
    }
  }
  check_options_are_read(request, body.value(json::json_pointer("/options/source"), false));
  return request;
}

TraceRequest parse_trace_request(std::string_view text) {
  json body = parse_body(text);
  const files::TakesApart at_the_end(body);
  if (!body.contains("sentence")) throw bad_field("sentence", "sentence is missing");
  TraceRequest request;
  for (const auto& [name, value] : body.items()) {
    if (name == "sentence") {
      request.sentence = short_text_of(value, name, kMaxSentenceBytes);
    } else if (name == "model") {
      request.asked.model = text_of(value, name);
    } else if (name == "options") {
      read_options(value, request.asked, nullptr);
    } else if (name == "trajectories") {
      request.trajectories = static_cast<std::size_t>(integer_of(value, name, 1, kMaxTrajectories));
    } else {
      throw bad_field(base::printable(name),
                      fmt::format("no field is named '{}'", base::printable(name)));
    }
  }
  return request;
}

}  // namespace diffie::server
