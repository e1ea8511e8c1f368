// A request and its answer, without the protocol that carries them.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "job.h"

namespace diffie::server {

// What stands before the body. Views are of the message that was read.
struct Head {
  std::string method;
  std::string path;    // percent-decoded
  std::string query;   // behind the question mark, as it came
  std::string accept;  // of all fields of that name
  std::string authorization;
  std::string host;
  std::string origin;  // of the page that asks, where a browser does
  std::string content_type;
  std::string content_encoding;
  std::stop_token stop;  // asked for where nobody waits for the answer any more
};

struct Answer {
  int status = 200;
  std::string content_type = "application/json";  // "": there is no body
  std::string body;
  std::string error;  // its code, for the log
  std::vector<std::pair<std::string, std::string>> headers;
  // Where there is one it makes the body; status and headers hold if it does not fail.
  std::shared_ptr<Job> job;
  std::chrono::milliseconds deadline{0};  // of the job
};

Answer to_answer(const HttpError& error);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7)
std::string http_date(std::chrono::system_clock::time_point time);

std::string lower_case(std::string_view text);  // of ASCII letters

// "a%20b" is "a b"; a bad escape stays as it is. With `plus`, "+" is a blank.
std::string percent_decoded(std::string_view text, bool plus);

// The value of a parameter of a query, decoded; "" where there is none.
std::string query_value(std::string_view query, std::string_view name);

}  // namespace diffie::server
