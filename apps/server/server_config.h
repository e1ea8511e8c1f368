// What the command line says of the server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace diffie::server {

struct ServerConfig {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;                    // 0: any that is free
  std::vector<std::string> models = {"small"};  // NAME, PATH or NAME=PATH; the first is the default
  std::vector<std::string> hosts;               // further names that requests may call us by
  std::vector<std::string> origins;             // whose pages may ask, besides our own; "*": all
  std::string api_keys;                         // file, a key a line; empty: none are asked for
  std::string tls_certificate;                  // files (PEM); empty: no TLS
  std::string tls_key;

  std::size_t max_body_bytes = std::size_t{2} << 20;
  std::size_t max_header_bytes = std::size_t{16} << 10;
  std::size_t max_connections = 1024;
  std::size_t max_queued_sentences = 50'000;
  std::chrono::milliseconds deadline{120'000};        // of an answer, from the request on
  std::chrono::milliseconds receive_timeout{10'000};  // for all of a request's head, or its body
  std::chrono::milliseconds idle_timeout{60'000};     // of a connection between requests
  std::chrono::milliseconds drain_timeout{30'000};    // for what is under way after SIGTERM

  bool log_requests = true;
  bool log_text = false;  // what users send, too
};

}  // namespace diffie::server
