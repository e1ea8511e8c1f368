// One connection: requests are read, answered, and so on until either side has had enough.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "batcher.h"
#include "request_log.h"
#include "service.h"

namespace diffie::server {

// What all connections share. Its io_context is run by one thread.
struct Shared {
  const ServerConfig& config;
  Service& service;
  WorkQueue& queue;
  Batcher& batcher;
  Metrics& metrics;
  RequestLog& log;
  boost::asio::thread_pool& preparing;  // bodies are read and cut into sentences there
  boost::asio::thread_pool& computing;  // traces
  std::stop_token ending;               // nobody is answered any more
};

class Session {
 public:
  virtual ~Session() = default;
  // The answer under way, or the next, is its last.
  virtual void drain() = 0;
  // Where it waits for a request, and none has come.
  virtual void close_if_idle() = 0;
  // Since when it waits for all of a request's head; none: something came or is under way.
  virtual std::optional<std::chrono::steady_clock::time_point> silent_since() = 0;
  // Ends without an answer, unless something came meanwhile.
  virtual void close() = 0;
};

// Begins to serve a connection, with TLS where there is a context for it; `ended` is called in the
// end. The session keeps itself alive until then.
std::weak_ptr<Session> serve(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
                             Shared& shared, std::function<void()> ended);

}  // namespace diffie::server
