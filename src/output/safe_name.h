// File names out of document ids.
#pragma once

#include <string>
#include <string_view>

#include "output/node.h"

namespace diffie::output {

class SafeNames {
 public:
  // A name of ASCII letters, digits, '-', '_' and '.', at most 120 bytes, no two alike. An id that
  // is such a name already stays, without ".txt" at its end; others get a part of their SHA-256.
  std::string next(std::string_view id);

 private:
  SeenNodes taken_;
};

}  // namespace diffie::output
