// Orders: "Send it", "please do not send it", "let's send it".
#pragma once

#include "facts/outline.h"
#include "facts/reading.h"

namespace diffie::facts {

bool is_order(Units units, const Outline& outline, const Clause& clause);

// The first verb of the group; the "do" of "do not open" is none.
std::size_t first_verb(Units units, const VerbGroup& group);

}  // namespace diffie::facts
