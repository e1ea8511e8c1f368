// Canonical reordering of combining marks.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "diffie/text.h"
#include "text/unicode_tables.h"

namespace diffie::text {

// The run begins at a character and takes in all combining marks after it; calls add for each mark
// in canonical order and returns where the run ends. The source of a mark is not always its own
// character: as in the `tokenizers` package, the k-th mark that heads a character's decomposition
// is said to come from the k-th character of the run, whatever the sorting did to it.
std::size_t for_each_mark(std::string_view text, std::size_t run_begin,
                          const std::function<void(NormalPart, Span)>& add);

}  // namespace diffie::text
