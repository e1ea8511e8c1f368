// The three slots of a triple, to be walked over.
#pragma once

#include <array>

#include "diffie/extractor.h"

namespace diffie::output {

struct Slot {
  const char* name;
  std::string Extraction::*text;
  std::vector<Span> Extraction::*spans;
};

inline constexpr std::array<Slot, 3> kSlots = {{
    {"subject", &Extraction::subject, &Extraction::subject_spans},
    {"relation", &Extraction::relation, &Extraction::relation_spans},
    {"object", &Extraction::object, &Extraction::object_spans},
}};

}  // namespace diffie::output
