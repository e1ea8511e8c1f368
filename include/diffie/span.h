#pragma once

#include <cstddef>

namespace diffie {

// A half-open byte range of the text the caller passed in, never of a normalised copy:
// text.substr(begin, end - begin) is what we quote.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace diffie
