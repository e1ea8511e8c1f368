#include "service.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "accept.h"
#include "api_json.h"
#include "base/printable.h"
#include "corenlp.h"
#include "corenlp_protobuf.h"
#include "trace_json.h"
#include "web_files.h"

namespace diffie::server {
namespace {

constexpr std::size_t kMaxTraces = 4;    // under way or waiting
constexpr std::size_t kMaxAnswer = 256;  // times what a body may have
constexpr std::size_t kAnyAnswer = std::size_t{16} << 20;

// Content types that a body may say it has: JSON, text, and what curl says of any.
bool is_readable(std::string_view content_type) {
  std::string type = lower_case(content_type.substr(0, content_type.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  return type.empty() || type == "application/json" || type == "text/plain" ||
         type == "application/x-www-form-urlencoded" || type.ends_with("+json");
}

// "identity" is no packing, however often it was done.
bool is_packed(std::string_view encodings) {
  constexpr std::string_view kBetween = ", \t";
  while (true) {
    encodings.remove_prefix(std::min(encodings.find_first_not_of(kBetween), encodings.size()));
    if (encodings.empty()) return false;
    const std::size_t end = std::min(encodings.find_first_of(kBetween), encodings.size());
    if (lower_case(encodings.substr(0, end)) != "identity") return true;
    encodings.remove_prefix(end);
  }
}

// The page's scripts and styles are files of ours; nothing else is ever run or loaded.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

Service::Service(const ServerConfig& config, ServedModels& models, const WorkQueue& queue,
                 const Metrics& metrics)
    : config_(config),
      models_(models),
      queue_(queue),
      metrics_(metrics),
      access_(config.api_keys, config.address, config.hosts, config.origins) {}

std::span<const Route> Service::routes() {
  using Cost = Route::Cost;
  static constexpr auto kRoutes = std::to_array<Route>({
      {"POST", "/v1/extract", "extract", Cost::kPrepare, false, &Service::extract},
      {"POST", "/v1/trace", "trace", Cost::kCompute, false, &Service::trace},
      {"GET", "/v1/models", "models", Cost::kNone, false, &Service::models},
      {"GET", "/healthz", "healthz", Cost::kNone, true, &Service::health},
      {"GET", "/readyz", "readyz", Cost::kNone, true, &Service::readiness},
      {"GET", "/metrics", "metrics", Cost::kNone, false, &Service::metrics},
      {"GET", "/openapi.json", "openapi", Cost::kNone, true, &Service::openapi},
      {"POST", "/", "corenlp", Cost::kPrepare, false, &Service::corenlp},
      {"GET", "/ping", "ping", Cost::kNone, true, &Service::ping},
      {"GET", "/live", "live", Cost::kNone, true, &Service::ping},
      {"GET", "/ready", "ready", Cost::kNone, true, &Service::readiness},
      {"GET", "/", "page", Cost::kNone, true, &Service::web},
      {"GET", "/docs", "page", Cost::kNone, true, &Service::web},
      {"GET", "/web/", "page", Cost::kNone, true, &Service::web},  // and what is below
  });
  return kRoutes;
}

const Route& Service::route(const Head& head) const {
  access_.check_host(head);
  access_.check_origin(head);
  static constexpr Route kPreflight = {"OPTIONS",          "*",  "preflight",
                                       Route::Cost::kNone, true, &Service::preflight};
  if (head.method == "OPTIONS" && access_.is_welcome_stranger(head)) return kPreflight;
  const std::string_view method = head.method == "HEAD" ? "GET" : std::string_view(head.method);
  std::string allowed;
  for (const Route& route : routes()) {
    const bool below = route.path == "/web/" && head.path.starts_with(route.path);
    if (route.path != head.path && !below) continue;
    if (route.method != method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      if (route.method == "GET") allowed += ", HEAD";
      continue;
    }
    if (!route.open) access_.check_key(head);
    if (method == "POST" && is_packed(head.content_encoding))
      throw HttpError(415, "unsupported_media_type",
                      fmt::format("Content-Encoding is '{}', a packed body is not taken",
                                  base::printable(lower_case(head.content_encoding), 40)));
    if (method == "POST" && !is_readable(head.content_type))
      throw HttpError(415, "unsupported_media_type",
                      fmt::format("Content-Type is '{}', the body must be JSON",
                                  base::printable(head.content_type, 80)));
    return route;
  }
  if (allowed.empty())
    throw HttpError(404, "not_found",
                    fmt::format("{}: there is no such route", base::printable(head.path)));
  throw HttpError(405, "method_not_allowed", fmt::format("this route takes {} only", allowed))
      .with_header("Allow", allowed);
}

Answer Service::answer(const Route& route, const Head& head, std::string body) {
  return (this->*route.answer)(head, std::move(body));
}

std::vector<std::pair<std::string, std::string>> Service::headers_for_strangers(
    const Head& head) const {
  if (!access_.is_welcome_stranger(head)) return {};
  return {{"Access-Control-Allow-Origin", head.origin},
          {"Access-Control-Expose-Headers", "Content-Disposition, Retry-After, X-Diffie-Sentences"},
          {"Vary", "Origin"}};
}

Answer Service::queue_full() const {
  Answer answer = to_answer(
      HttpError(429, "queue_full", fmt::format("{} sentences wait already", queue_.size())));
  const double rate = std::max(metrics_.sentences_per_second(), 1.0);
  const double seconds = std::ceil(static_cast<double>(queue_.size()) / rate);
  answer.headers.emplace_back("Retry-After",
                              fmt::format("{:.0f}", std::clamp(seconds, 1.0, 600.0)));
  return answer;
}

void Service::trace_began() {
  if (++traces_ <= kMaxTraces) return;
  --traces_;
  throw HttpError(429, "queue_full", fmt::format("{} traces wait already", kMaxTraces))
      .with_header("Retry-After", "1");
}

Answer Service::start(ExtractRequest request) {
  const std::shared_ptr<ServedModel> model = models_.find(request.asked.model);
  const Settings settings = model->settings(request.asked);
  Answer answer;
  answer.deadline = std::min(request.deadline.value_or(config_.deadline), config_.deadline);
  const Origin origin{model->name(), model->preset(request.asked)};
  answer.job = std::make_shared<Job>(std::move(request), model->extractor(settings), origin,
                                     std::max(kMaxAnswer * config_.max_body_bytes, kAnyAnswer));
  const AnswerBody& body = answer.job->body();
  answer.content_type = body.content_type();
  if (body.streamed())
    answer.headers.emplace_back("X-Diffie-Sentences", std::to_string(answer.job->size()));
  if (!body.file_name().empty()) {
    answer.headers.emplace_back("Content-Disposition",
                                fmt::format("attachment; filename=\"{}\"", body.file_name()));
  }
  return answer;
}

Answer Service::extract(const Head& head, std::string body) {
  ExtractRequest request = parse_extract_request(body);
  if (request.format == kCorenlpSerialized)
    throw bad_field("format", "is for clients of CoreNLP, at /");
  if (request.format == "json" && prefers_lines(head.accept)) request.format = "jsonl";
  return start(std::move(request));
}

Answer Service::corenlp(const Head& head, std::string body) {
  return start(parse_corenlp_request(head.query, std::move(body)));
}

Answer Service::trace(const Head& head, std::string body) {
  const TraceRequest request = parse_trace_request(body);
  const std::shared_ptr<ServedModel> model = models_.find(request.asked.model);
  Settings settings = model->settings(request.asked);
  settings.threads = 1;
  Answer answer;
  answer.body = trace_json(model->model(), settings, request, head.stop);
  return answer;
}

Answer Service::models(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.body = models_json(models_, config_);
  return answer;
}

Answer Service::health(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.body = "{\"status\": \"ok\"}\n";
  return answer;
}

Answer Service::readiness(const Head& /*head*/, std::string /*body*/) {
  if (!ready_) return to_answer(HttpError(503, "draining", "no more requests are taken"));
  Answer answer;
  answer.body = "{\"status\": \"ready\"}\n";
  return answer;
}

Answer Service::metrics(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
  answer.body = metrics_.text(queue_.size(), active_, ready_);
  return answer;
}

Answer Service::openapi(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.body = openapi_json(config_, routes());
  return answer;
}

Answer Service::ping(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.content_type = "text/plain; charset=utf-8";
  answer.body = "pong\n";
  return answer;
}

// What a browser asks before it lets a page of another origin send more than a form could.
Answer Service::preflight(const Head& /*head*/, std::string /*body*/) {
  Answer answer;
  answer.status = 204;
  answer.content_type.clear();
  answer.headers = {{"Access-Control-Allow-Methods", "GET, HEAD, POST"},
                    {"Access-Control-Allow-Headers", "Accept, Authorization, Content-Type"},
                    {"Access-Control-Max-Age", "600"}};
  return answer;
}

Answer Service::web(const Head& head, std::string /*body*/) {
  std::string_view name = head.path;
  if (name == "/") name = "index.html";
  if (name == "/docs") name = "docs.html";
  if (name.starts_with("/web/")) name.remove_prefix(5);
  for (const WebFile& file : web_files()) {
    if (file.name != name) continue;
    Answer answer;
    answer.content_type = file.content_type;
    answer.body = file.bytes;
    answer.headers.emplace_back("Content-Security-Policy", kPolicy);
    return answer;
  }
  throw HttpError(404, "not_found",
                  fmt::format("{}: there is no such file", base::printable(head.path)));
}

}  // namespace diffie::server
