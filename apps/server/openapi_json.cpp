#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "answer_body.h"
#include "api_json.h"
#include "diffie/version.h"
#include "message.h"
#include "setting_schema.h"

namespace diffie::server {
namespace {

using json = nlohmann::ordered_json;

json reference(const char* name) { return {{"$ref", std::string("#/components/schemas/") + name}}; }

json text_schema(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

json object_schema(json properties, json required) {
  json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

// Without room for what is not named.
json closed(json schema) {
  schema["additionalProperties"] = false;
  return schema;
}

json array_of(json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

// The limit is of bytes, of which a character has one at least.
json short_text_schema(const char* description, std::size_t most) {
  json schema = {{"type", "string"}};
  schema["description"] = fmt::format("{}, at most {} bytes", description, most);
  schema["maxLength"] = most;
  return schema;
}

json one_sentence_schema() { return short_text_schema("One sentence", kMaxSentenceBytes); }

json options_schema(bool of_extract) {
  json properties;
  properties["preset"] = text_schema("A preset of the model; the settings below are put over it");
  if (of_extract) {
    properties["source"] = {{"type", "boolean"}, {"description", "Say where a sentence stands"}};
    properties["document_offsets"] = {{"type", "boolean"},
                                      {"description", "Spans in the document too"}};
    properties["classic_reification"] = {{"type", "boolean"},
                                         {"description", "RDF 1.1 in ntriples and turtle"}};
    properties["base_iri"] =
        short_text_schema("What IRIs begin with in ntriples and turtle", kMaxNameBytes);
  }
  for (const SettingInfo& info : setting_infos()) {
    if (!is_servers_own(info.name)) properties[info.name] = setting_schema(info);
  }
  return closed(object_schema(std::move(properties), {}));
}

json extract_request_schema() {
  json formats = json::array();
  for (const AnswerFormat& format : answer_formats()) formats.push_back(format.name);
  json document =
      closed(object_schema({{"id", short_text_schema("Its number if left out", kMaxNameBytes)},
                            {"text", text_schema("Running text")}},
                           {"text"}));
  json schema = closed(
      object_schema({{"text", text_schema("A running text")},
                     {"documents", array_of(std::move(document))},
                     {"sentences", array_of(one_sentence_schema())},
                     {"model", text_schema("One of those served; the first if left out")},
                     {"format", {{"type", "string"}, {"enum", formats}, {"default", "json"}}},
                     {"deadline_ms", {{"type", "integer"}, {"minimum", 1}, {"maximum", 3'600'000}}},
                     {"options", options_schema(true)}},
                    {}));
  schema["oneOf"] = {
      {{"required", {"text"}}}, {{"required", {"documents"}}}, {{"required", {"sentences"}}}};
  schema["example"] = {{"text", "Ada Lovelace wrote the first program."},
                       {"options", {{"preset", "balanced"}}}};
  return schema;
}

json trace_request_schema() {
  json schema = closed(
      object_schema({{"sentence", one_sentence_schema()},
                     {"model", text_schema("One of those served; the first if left out")},
                     {"trajectories", {{"type", "integer"}, {"minimum", 1}, {"maximum", 64}}},
                     {"options", options_schema(false)}},
                    {"sentence"}));
  schema["example"] = {{"sentence", "Ada Lovelace wrote the first program."}};
  return schema;
}

json sentence_schemas() {
  const json spans = array_of({{"type", "array"},
                               {"items", {{"type", "integer"}, {"minimum", 0}}},
                               {"minItems", 2},
                               {"maxItems", 2},
                               {"description", "Half-open range of bytes"}});
  const json three_spans =
      object_schema({{"subject", spans}, {"relation", spans}, {"object", spans}},
                    {"subject", "relation", "object"});
  json attributed =
      object_schema({{"text", {{"type", "string"}}}, {"spans", spans}}, {"text", "spans"});
  attributed["type"] = {"object", "null"};
  const json factuality =
      object_schema({{"polarity", {{"type", "string"}, {"enum", {"positive", "negative"}}}},
                     {"modality",
                      {{"type", "string"},
                       {"enum", {"certain", "possible", "question", "imperative", "conditional"}}}},
                     {"attributed_to", attributed}},
                    {"polarity", "modality", "attributed_to"});
  json extraction =
      object_schema({{"subject", {{"type", "string"}}},
                     {"relation", {{"type", "string"}}},
                     {"object", {{"type", "string"}}},
                     {"confidence", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}}},
                     {"spans", three_spans},
                     {"implied", array_of({{"type", "string"}})},
                     {"factuality", factuality}},
                    {"subject", "relation", "object", "confidence", "spans", "factuality"});
  json sentence = object_schema({{"sentence", {{"type", "string"}}},
                                 {"extractions", array_of(reference("Extraction"))},
                                 {"source", {{"type", "object"}}},
                                 {"error", text_schema("Why this sentence alone failed")}},
                                {"sentence", "extractions"});
  json answer = object_schema({{"model", {{"type", "string"}}},
                               {"preset", {{"type", "string"}}},
                               {"sentences", array_of(reference("Sentence"))}},
                              {"model", "preset", "sentences"});
  json error = object_schema({{"error", object_schema({{"code", {{"type", "string"}}},
                                                       {"field", {{"type", "string"}}},
                                                       {"message", {{"type", "string"}}}},
                                                      {"code", "message"})}},
                             {"error"});
  return {{"ExtractRequest", extract_request_schema()}, {"TraceRequest", trace_request_schema()},
          {"Extraction", std::move(extraction)},        {"Sentence", std::move(sentence)},
          {"ExtractAnswer", std::move(answer)},         {"Error", std::move(error)}};
}

json content(const char* type, json schema) { return {{type, {{"schema", std::move(schema)}}}}; }

json errors_of(std::initializer_list<std::pair<const char*, const char*>> statuses) {
  json responses;
  for (const auto& [status, description] : statuses) {
    responses[status] = {{"description", description},
                         {"content", content("application/json", reference("Error"))}};
  }
  return responses;
}

json post_route(const char* id, const char* summary, const char* request, json answer) {
  json responses = {{"200", {{"description", "The answer"}, {"content", std::move(answer)}}}};
  responses.update(errors_of({{"400", "A field is missing, unknown or out of its range"},
                              {"403", "The host or the page that asks is not let in"},
                              {"404", "No such model"},
                              {"405", "The route takes another method; see Allow"},
                              {"408", "The request did not arrive in time"},
                              {"411", "The length of the body is missing"},
                              {"413", "The body is too large"},
                              {"415", "The body is packed, or no JSON"},
                              {"429", "Too many sentences wait; see Retry-After"},
                              {"431", "The head is too large"},
                              {"500", "Our fault"},
                              {"503", "The server is about to stop, or memory was short"},
                              {"504", "The deadline has passed"}}));
  return {{"post",
           {{"operationId", id},
            {"summary", summary},
            {"requestBody",
             {{"required", true}, {"content", content("application/json", reference(request))}}},
            {"responses", std::move(responses)}}}};
}

json get_route(const char* id, const char* summary, const char* type) {
  json responses = {
      {"200", {{"description", "The answer"}, {"content", {{type, json::object()}}}}}};
  responses.update(errors_of({{"400", "Not HTTP"},
                              {"403", "The host or the page that asks is not let in"},
                              {"405", "The route takes another method; see Allow"},
                              {"408", "The request did not arrive in time"},
                              {"431", "The head is too large"}}));
  return {{"get", {{"operationId", id}, {"summary", summary}, {"responses", responses}}}};
}

// Of every format. One of the lines of a stream, the last, may be an error.
json extract_answer() {
  const json object = {{"type", "object"}, {"description", "In another format that is JSON"}};
  json answer = content("application/json", {{"anyOf", {reference("ExtractAnswer"), object}}});
  answer.update(
      content("application/x-ndjson", {{"description", "A line, of which the last may be an error"},
                                       {"anyOf", {reference("Sentence"), reference("Error")}}}));
  for (const AnswerFormat& format : answer_formats()) {
    const std::string type = format.content_type.substr(0, format.content_type.find(';'));
    if (answer.contains(type)) continue;
    answer[type] = json::object();
    if (type.starts_with("text/")) answer[type]["schema"] = {{"type", "string"}};
  }
  return answer;
}

json paths() {
  json all = {
      {"/v1/extract", post_route("extract", "Triples of a text, of documents or of sentences",
                                 "ExtractRequest", extract_answer())},
      {"/v1/trace", post_route("trace", "How the triples of a sentence came about", "TraceRequest",
                               content("application/json", {{"type", "object"}}))},
      {"/v1/models",
       get_route("models", "Models, presets, settings, formats, limits", "application/json")},
      {"/healthz", get_route("healthz", "The process lives", "application/json")},
      {"/readyz", get_route("readyz", "Requests are taken", "application/json")},
      {"/metrics", get_route("metrics", "Counters for Prometheus", "text/plain")},
      {"/openapi.json", get_route("openapi", "This document", "application/json")}};
  all["/readyz"]["get"]["responses"].update(errors_of({{"503", "The server is about to stop"}}));
  return all;
}

// Routes that are open need no key; all others do, where keys are asked for.
void add_security(json& document, std::span<const Route> routes, bool keys) {
  for (const Route& route : routes) {
    json& paths = document["paths"];
    const std::string method = lower_case(route.method);
    const std::string path(route.path);
    if (!paths.contains(path) || !paths[path].contains(method)) continue;
    json& operation = paths[path][method];
    if (!route.open) operation["responses"].update(errors_of({{"401", "A key is needed"}}));
    if (route.open && keys) operation["security"] = json::array();
  }
  if (!keys) return;
  document["components"]["securitySchemes"]["key"] = {{"type", "http"}, {"scheme", "bearer"}};
  document["security"] = {{{"key", json::array()}}};
}

}  // namespace

std::string openapi_json(const ServerConfig& config, std::span<const Route> routes) {
  json document = {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "diffie"},
        {"version", version()},
        {"description", "Open information extraction: (subject; relation; object) triples of text"},
        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
      {"servers", {{{"url", "/"}}}},
      {"paths", paths()},
      {"components", {{"schemas", sentence_schemas()}}}};
  add_security(document, routes, !config.api_keys.empty());
  return document.dump(1) + "\n";
}

}  // namespace diffie::server
