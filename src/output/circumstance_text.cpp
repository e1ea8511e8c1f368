#include "output/circumstance_text.h"

#include <algorithm>

#include "output/node.h"

namespace diffie::output {

std::string circumstance_text(const Extraction& triple, CircumstanceKind kind) {
  std::string joined;
  for (const Circumstance& circumstance : triple.circumstances) {
    if (circumstance.kind != kind) continue;
    std::string text = one_line(circumstance.text);
    std::replace(text.begin(), text.end(), ';', ',');
    if (!joined.empty()) joined += ';';
    joined += text;
  }
  return joined;
}

}  // namespace diffie::output
