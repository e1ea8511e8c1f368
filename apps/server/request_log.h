// A JSON line on standard error for each request, and for what happens to the server.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace diffie::server {

struct RequestRecord {
  std::string remote;
  std::string method;
  std::string path;
  std::string route;
  int status = 0;
  double seconds = 0;
  std::size_t bytes_in = 0;  // of the body
  std::size_t bytes_out = 0;
  std::size_t sentences = 0;
  std::size_t triples = 0;
  std::string code;  // of an error
  std::string text;  // what the user sent; left out unless asked for
};

// Threads: any. What cannot be written is lost, and nothing else with it.
class RequestLog {
 public:
  explicit RequestLog(bool requests) : requests_(requests) {}

  void request(const RequestRecord& record);
  void event(const std::string& message);

 private:
  void write(const std::string& line);

  const bool requests_;
  std::mutex mutex_;
  std::uint64_t number_ = 0;
};

}  // namespace diffie::server
