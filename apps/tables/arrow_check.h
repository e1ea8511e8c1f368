#pragma once

#include <arrow/result.h>
#include <arrow/status.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "diffie/error.h"

namespace diffie::cli {

// Arrow's own words, the first line of them, behind the name of the file.
inline void check(const arrow::Status& status, const std::string& where, ErrorCode code) {
  if (status.ok()) return;
  throw Error(
      code, fmt::format("{}: {}", where, status.message().substr(0, status.message().find('\n'))));
}

template <class Value>
Value check(arrow::Result<Value> result, const std::string& where, ErrorCode code) {
  check(result.status(), where, code);
  return std::move(result).ValueUnsafe();
}

}  // namespace diffie::cli
