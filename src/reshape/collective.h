// Whether what a relation says is said of all parts of an argument at once: "met in Paris",
// "consists of", "between".
#pragma once

#include "extract/selector.h"
#include "reshape/line.h"

namespace diffie::reshape {

struct ActsAsOne {
  bool subject = false;
  bool object = false;
};

ActsAsOne acts_as_one(const Line& line, const extract::Triple& triple);

}  // namespace diffie::reshape
