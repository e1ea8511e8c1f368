// Names and kinds of the measures.
#include <fmt/core.h>

#include <array>

#include "diffie/error.h"
#include "diffie/lab/score.h"
#include "lab/score/judge.h"
#include "text/white_space.h"

namespace diffie {
namespace {

struct Named {
  Measure measure;
  const char* name;
};

constexpr std::array<Named, 10> kMeasures = {{
    {Measure::kCarb, "carb"},
    {Measure::kCarb11, "carb_1_1"},
    {Measure::kCarbDiffie, "carb_diffie"},
    {Measure::kCarbHungarian, "carb_hungarian"},
    {Measure::kCarbHungarianF1, "carb_hungarian_f1"},
    {Measure::kCarbDiffieHungarian, "carb_diffie_hungarian"},
    {Measure::kBenchie, "benchie"},
    {Measure::kWire57, "wire57"},
    {Measure::kWire57Hungarian, "wire57_hungarian"},
    {Measure::kWire57C, "wire57_c"},
}};

}  // namespace

const char* to_string(Measure measure) noexcept {
  for (const Named& entry : kMeasures) {
    if (entry.measure == measure) return entry.name;
  }
  return "unknown";
}

Measure parse_measure(std::string_view name) {
  for (const Named& entry : kMeasures) {
    if (entry.name == name) return entry.measure;
  }
  throw Error(ErrorCode::kInvalidArgument, fmt::format("no measure '{}'; there are {}", name,
                                                       text::join(measure_names(), ", ")));
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const Named& entry : kMeasures) names.emplace_back(entry.name);
  return names;
}

bool has_curve(Measure measure) noexcept {
  switch (measure) {
    case Measure::kBenchie:
    case Measure::kWire57:
    case Measure::kWire57Hungarian:
    case Measure::kWire57C:
      return false;
    default:
      return true;
  }
}

namespace score {

JudgeMaker make_judges(Measure measure) {
  switch (measure) {
    case Measure::kBenchie:
      return benchie_judges();
    case Measure::kWire57:
    case Measure::kWire57Hungarian:
    case Measure::kWire57C:
      return wire57_judges(measure);
    default:
      return carb_judges(measure);
  }
}

}  // namespace score
}  // namespace diffie
