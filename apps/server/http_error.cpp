#include "http_error.h"

#include <new>

#include "base/field_error.h"
#include "base/json_text.h"
#include "diffie/error.h"

namespace diffie::server {

std::string HttpError::json() const {
  std::string out = "{\"error\": {\"code\": ";
  base::append_json_string(out, code_);
  if (!field_.empty()) {
    out += ", \"field\": ";
    base::append_json_string(out, field_);
  }
  out += ", \"message\": ";
  base::append_json_string(out, what());
  out += "}}";
  return out;
}

HttpError bad_field(const std::string& field, const std::string& message) {
  return {400, "invalid_argument", message, field};
}

HttpError to_http_error(const std::exception& error, const std::string& otherwise) {
  if (const auto* http = dynamic_cast<const HttpError*>(&error)) return *http;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {503, "exhausted", "out of memory"};
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr) return {500, "internal", error.what()};
  const auto* of_one = dynamic_cast<const base::FieldError*>(&error);
  const std::string field = of_one == nullptr ? otherwise : "options." + of_one->field();
  switch (ours->code()) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kBadInput:
    case ErrorCode::kUnsupported:
      return bad_field(field, error.what());
    case ErrorCode::kExhausted:
      return {503, "exhausted", error.what()};
    case ErrorCode::kCancelled:
      return {504, "deadline", "the deadline has passed"};
    default:
      return {500, "internal", error.what()};
  }
}

}  // namespace diffie::server
