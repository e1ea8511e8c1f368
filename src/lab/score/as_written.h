#pragma once

#include <charconv>
#include <iterator>

namespace diffie {

// A confidence as files hold it, with six digits: what is equal there is one threshold of the
// curve.
inline double as_written(double confidence) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), confidence,
                                 std::chars_format::general, 6);
  double read = 0;
  std::from_chars(digits, end.ptr, read);
  return read;
}

}  // namespace diffie
