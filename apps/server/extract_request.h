// The body of a request as plain values: every field with its type and its range.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diffie/output.h"

namespace diffie::server {

struct InputDocument {
  std::string id;
  std::string text;
};

// A sentence may have as many bytes as the longest that running text is cut into.
inline constexpr std::size_t kMaxSentenceBytes = 20'000;

// Of a document's id and of base_iri: an answer has them in every sentence, and in every IRI.
inline constexpr std::size_t kMaxNameBytes = 1024;

// Of an option that is a list.
inline constexpr std::size_t kMaxListNumbers = 4096;

// What is asked of a model in any request.
struct Asked {
  std::string model;                                          // empty: the first
  std::string preset;                                         // empty: the server's
  std::vector<std::pair<std::string, std::string>> settings;  // for set_setting, in their order
};

struct ExtractRequest {
  Asked asked;
  std::vector<InputDocument> documents;
  bool running_text = true;  // false: every document is one sentence
  std::string format = "json";
  WriterOptions writer;
  std::optional<std::chrono::milliseconds> deadline;
};

struct TraceRequest {
  Asked asked;
  std::string sentence;
  std::size_t trajectories = 8;
};

// Throw HttpError 400, which names the field.
ExtractRequest parse_extract_request(std::string_view body);
TraceRequest parse_trace_request(std::string_view body);

// Settings that a request cannot choose: they are the server's.
bool is_servers_own(std::string_view setting);

}  // namespace diffie::server
