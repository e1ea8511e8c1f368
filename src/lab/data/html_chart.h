// Tables of a breakdown with bars, as HTML without outside resources.
#pragma once

#include <string>
#include <string_view>

#include "lab/data/audit.h"

namespace diffie::data {

std::string with_thousands(std::size_t value);  // 26,349
std::string percent(std::size_t part,
                    std::size_t whole);  // 62.1 %, with a blank that does not break

// The style sheet of the page, light and dark.
std::string_view report_style();

// What the three colours of bars mean.
std::string legend();

// One row per share: name, counts, what is kept and aligned, a bar in three parts.
std::string share_table(const Breakdown& breakdown);

}  // namespace diffie::data
