// The routes of the server: what each takes and answers.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "access.h"
#include "message.h"
#include "metrics.h"
#include "served_models.h"
#include "server_config.h"
#include "work_queue.h"

namespace diffie::server {

class Service;

struct Route {
  enum class Cost {
    kNone,     // answered at once
    kPrepare,  // reads a body and cuts sentences
    kCompute,  // asks a model itself
  };

  std::string_view method;
  std::string_view path;
  std::string_view name;  // in metrics and logs
  Cost cost;
  bool open;  // without a key too
  Answer (Service::*answer)(const Head& head, std::string body);
};

// Threads: any.
class Service {
 public:
  // What it is given must outlive it.
  Service(const ServerConfig& config, ServedModels& models, const WorkQueue& queue,
          const Metrics& metrics);

  // Of a request whose head has been read. Throws HttpError where it need not be read further.
  const Route& route(const Head& head) const;
  // Throws HttpError.
  Answer answer(const Route& route, const Head& head, std::string body);

  // What lets a page of another origin read the answer, where it may.
  std::vector<std::pair<std::string, std::string>> headers_for_strangers(const Head& head) const;

  // The queue has no room for it.
  Answer queue_full() const;

  // Traces are computed one after another; few may wait for that. Throws HttpError 429.
  void trace_began();
  void trace_ended() { --traces_; }

  void set_ready(bool ready) { ready_ = ready; }
  bool ready() const { return ready_; }
  void request_began() { ++active_; }
  void request_ended() { --active_; }
  std::size_t active() const { return active_; }

 private:
  static std::span<const Route> routes();

  Answer extract(const Head& head, std::string body);
  Answer trace(const Head& head, std::string body);
  Answer corenlp(const Head& head, std::string body);
  Answer models(const Head& head, std::string body);
  Answer health(const Head& head, std::string body);
  Answer readiness(const Head& head, std::string body);
  Answer metrics(const Head& head, std::string body);
  Answer openapi(const Head& head, std::string body);
  Answer ping(const Head& head, std::string body);
  Answer preflight(const Head& head, std::string body);
  Answer web(const Head& head, std::string body);

  Answer start(ExtractRequest request);

  const ServerConfig& config_;
  ServedModels& models_;
  const WorkQueue& queue_;
  const Metrics& metrics_;
  const Access access_;
  std::atomic<bool> ready_ = true;
  std::atomic<std::size_t> active_ = 0;
  std::atomic<std::size_t> traces_ = 0;
};

// Counts a request while its answer is under way.
class ActiveRequest {
 public:
  explicit ActiveRequest(Service& service) : service_(service) { service_.request_began(); }
  ~ActiveRequest() { service_.request_ended(); }
  ActiveRequest(const ActiveRequest&) = delete;
  ActiveRequest& operator=(const ActiveRequest&) = delete;

 private:
  Service& service_;
};

}  // namespace diffie::server
