#include "request_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace diffie::server {

namespace http = boost::beast::http;

namespace {

// "http://name/path" is what proxies are asked, and what every server must take (RFC 9112, 3.2.2);
// the name in it counts, not that of the header.
void split_target(std::string_view target, Head& head) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!boost::beast::iequals({target.data(), std::min(target.size(), scheme.size())},
                               {scheme.data(), scheme.size()}))
      continue;
    target.remove_prefix(scheme.size());
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    head.host = target.substr(0, end);
    target.remove_prefix(end);
    break;
  }
  const std::size_t question = target.find('?');
  head.path = percent_decoded(target.substr(0, question), false);
  if (head.path.empty()) head.path = "/";
  if (question != std::string_view::npos) head.query = target.substr(question + 1);
}

// A list may stand in several fields of one name (RFC 9110, 5.3).
std::string list_of(const http::request_header<>& header, http::field name) {
  std::string list;
  const auto [begin, end] = header.equal_range(name);
  for (auto each = begin; each != end; ++each)
    list += (list.empty() ? "" : ", ") + std::string(each->value());
  return list;
}

}  // namespace

Head head_of(const http::request_header<>& header) {
  const auto text = [](boost::beast::string_view view) { return std::string(view); };
  Head head;
  head.method = text(header.method_string());
  head.host = text(header[http::field::host]);
  split_target(text(header.target()), head);
  head.origin = text(header[http::field::origin]);
  head.accept = list_of(header, http::field::accept);
  head.authorization = text(header[http::field::authorization]);
  head.content_type = text(header[http::field::content_type]);
  head.content_encoding = list_of(header, http::field::content_encoding);
  return head;
}

std::optional<HttpError> framing_error(const http::request_header<>& header) {
  const auto bad = [](const char* message) {
    return HttpError(400, "invalid_argument", std::string("not HTTP: ") + message);
  };
  const std::size_t lengths = header.count(http::field::content_length);
  const std::size_t encodings = header.count(http::field::transfer_encoding);
  const auto length = header[http::field::content_length];
  const bool digits = std::all_of(length.begin(), length.end(),
                                  [](char each) { return each >= '0' && each <= '9'; });
  if (lengths > 1 || !digits) return bad("must have one length");
  if (lengths + encodings > 1) return bad("both a length and a transfer encoding");
  if (encodings > 0 && header.version() < 11) return bad("a transfer encoding in HTTP/1.0");
  if (encodings > 0 && !boost::beast::iequals(header[http::field::transfer_encoding], "chunked"))
    return bad("a transfer encoding other than chunked");
  const std::size_t hosts = header.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && header.version() >= 11)) return bad("must have one Host");
  for (const http::field once :
       {http::field::authorization, http::field::content_type, http::field::origin}) {
    if (header.count(once) > 1)
      return HttpError(400, "invalid_argument",
                       fmt::format("{} is there {} times", std::string(http::to_string(once)),
                                   header.count(once)));
  }
  if (header.method() == http::verb::post && lengths + encodings == 0)
    return HttpError(411, "length_required", "the length of the body is missing");
  return {};
}

std::optional<HttpError> refusal_of(const boost::system::error_code& error, bool timed_out,
                                    const ServerConfig& config) {
  if (timed_out) {
    return HttpError(408, "timeout",
                     fmt::format("the request did not arrive in time (--receive-ms {})",
                                 config.receive_timeout.count()));
  }
  if (error == http::error::header_limit)
    return HttpError(431, "headers_too_large",
                     fmt::format("the head of the request has more than {} bytes (--max-header)",
                                 config.max_header_bytes));
  if (error == http::error::body_limit)
    return HttpError(413, "too_large",
                     fmt::format("the body of the request has more than {} bytes (--max-body)",
                                 config.max_body_bytes));
  if (error == http::error::end_of_stream || error == http::error::partial_message) return {};
  if (error.category() == http::make_error_code(http::error::bad_method).category())
    return HttpError(400, "invalid_argument", "not HTTP: " + error.message());
  return {};
}

}  // namespace diffie::server
