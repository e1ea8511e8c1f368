#include "output/marks.h"

#include <fmt/format.h>

#include <array>

#include "output/node.h"

namespace diffie::output {

std::vector<std::string> triple_marks(const Extraction& triple) {
  const Factuality& factuality = triple.factuality;
  constexpr std::array<const char*, 5> kModalities = {"", "possible", "question", "order", "if"};
  std::vector<std::string> marks;
  if (factuality.polarity == Polarity::kNegative) marks.emplace_back("not");
  if (factuality.modality != Modality::kCertain)
    marks.emplace_back(kModalities[static_cast<std::size_t>(factuality.modality)]);
  if (factuality.attributed_to)
    marks.push_back("according to " + one_line(factuality.attributed_to->text));
  for (const Circumstance& circumstance : triple.circumstances)
    marks.push_back(fmt::format("{}: {}", name_of(circumstance.kind), one_line(circumstance.text)));
  return marks;
}

}  // namespace diffie::output
