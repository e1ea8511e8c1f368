// What the tables share: limits and the metadata of the schema.
#pragma once

#include <cstddef>
#include <limits>

#include "arrow/column.h"
#include "diffie/arrow.h"
#include "diffie/version.h"

namespace diffie::arrow {

// Offsets into a column's text have 32 bits. We bound the text of all columns, which is simpler.
inline constexpr std::size_t kMaxTextBytes = std::numeric_limits<std::int32_t>::max();
// U+FFFD for a byte that is none of UTF-8.
inline constexpr std::size_t kMaxGrowth = 3;

inline Column::Metadata metadata_of(const TableOrigin& origin) {
  return {{"diffie.schema", "1"},
          {"diffie.version", version()},
          {"diffie.model", origin.model},
          {"diffie.preset", origin.preset}};
}

inline std::int32_t sentence_number(std::size_t index) {
  if (index > kMaxTextBytes) {
    throw Error(ErrorCode::kExhausted, "a document has more than 2^31 sentences");
  }
  return static_cast<std::int32_t>(index);
}

inline void check_room(std::size_t held, std::size_t added) {
  if (added > kMaxTextBytes / kMaxGrowth || held > kMaxTextBytes - kMaxGrowth * added) {
    throw Error(ErrorCode::kExhausted, "a record batch has more than 2 GiB of text");
  }
}

}  // namespace diffie::arrow
