// A JSON line on standard error for each request, and for what happens to the server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

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

// Threads: any. Lines are written by a thread of the log, so that one who does not read them keeps
// nobody else waiting: what there is no room for is lost, and how much it was is said.
class RequestLog {
 public:
  explicit RequestLog(bool requests);  // throws kExhausted where a thread cannot be had
  ~RequestLog();                       // what is there is written, unless nobody takes it

  void request(const RequestRecord& record);
  void event(const std::string& message);

 private:
  class Writer;

  const bool requests_;
  std::shared_ptr<Writer> writer_;  // its thread's, too
  std::thread thread_;
};

}  // namespace diffie::server
