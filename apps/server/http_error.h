// What a request is refused with.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace diffie::server {

// Threads: a value like others. what() is the message.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, std::string code, const std::string& message, std::string field = "")
      : std::runtime_error(message),
        status_(status),
        code_(std::move(code)),
        field_(std::move(field)) {}

  int status() const { return status_; }
  const std::string& code() const { return code_; }
  const std::string& field() const { return field_; }  // of the request's body; may be empty

  // What the answer says besides: Allow, Retry-After.
  using Headers = std::vector<std::pair<std::string, std::string>>;
  const Headers& headers() const { return headers_; }
  HttpError with_header(std::string name, std::string value) && {
    headers_.emplace_back(std::move(name), std::move(value));
    return std::move(*this);
  }

  // {"error": {"code": ..., "field": ..., "message": ...}}, without a line's end
  std::string json() const;

 private:
  int status_;
  std::string code_;
  std::string field_;
  Headers headers_;
};

// 400 for a field of the body.
HttpError bad_field(const std::string& field, const std::string& message);

// What went wrong as an answer: of errors of the library what the caller can mend is 400, with the
// option that the error is about, or else this field; where memory was short it is 503.
HttpError to_http_error(const std::exception& error, const std::string& otherwise);

}  // namespace diffie::server
