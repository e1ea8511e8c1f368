// One line of a JSONL file, read as hostile: its nesting is capped, its types are checked, and what
// is not asked for is not kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "document_source.h"

namespace diffie::cli {

struct JsonRow {
  std::string text;
  std::string id;        // empty where none was asked for
  std::string replaced;  // what in the line was read as U+FFFD; empty: nothing
};

// Throws kBadInput and says what is wrong with the line, not where it stands.
JsonRow read_json_row(std::string_view line, const RowFields& fields);

}  // namespace diffie::cli
