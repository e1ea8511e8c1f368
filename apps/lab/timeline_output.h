// The figures of a timeline, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "diffie/lab/timeline.h"

namespace diffie::cli {

std::string timeline_table(const TimelineSummary& summary);

nlohmann::ordered_json to_json(const TimelineSummary& summary);
// Throws what nlohmann's json throws for another form.
TimelineSummary timeline_from(const nlohmann::json& value);

}  // namespace diffie::cli
