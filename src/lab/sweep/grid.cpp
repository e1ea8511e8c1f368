#include "lab/sweep/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "diffie/error.h"

namespace diffie {
namespace {

template <typename Value, typename Allowed>
void check_axis(std::string_view name, const std::vector<Value>& values, const char* wanted,
                Allowed allowed) {
  if (values.empty()) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} has no value", name));
  }
  for (const Value& value : values) {
    if (!allowed(value)) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} is {}, must be {}", name, value, wanted));
    }
  }
}

}  // namespace

void SweepOptions::validate() const {
  const auto in_unit = [](double value) { return value >= 0 && value <= 1; };
  check_axis("samples", axes.samples, "from 0 (all) to 65536",
             [](std::int32_t value) { return value >= 0 && value <= 65536; });
  check_axis("top-k", axes.top_k, "from 1 to 1024",
             [](std::int32_t value) { return value >= 1 && value <= 1024; });
  check_axis("tau", axes.tau, "above 0 and at most 1",
             [](double value) { return value > 0 && value <= 1; });
  check_axis("power", axes.power, "above 0 and at most 64",
             [](double value) { return value > 0 && value <= 64; });
  check_axis("wording", axes.wording, "from 0 to 1", in_unit);
  check_axis("min-confidence", axes.min_confidence, "from 0 to 1", in_unit);
  check_axis("rule", axes.rule, "longest, relation-runs or all-runs", [](const std::string& name) {
    return name == "longest" || name == "relation-runs" || name == "all-runs";
  });
  check_axis("selector", axes.selector, "lenient, frequency, coverage or learned",
             [](const std::string& name) {
               return name == "lenient" || name == "frequency" || name == "coverage" ||
                      name == "learned";
             });
  const bool learned =
      std::find(axes.selector.begin(), axes.selector.end(), "learned") != axes.selector.end();
  if (learned && ranker.empty())
    throw Error(ErrorCode::kInvalidArgument, "selector 'learned' needs a ranker");
  check_axis("repeats", std::vector{repeats}, "from 1 to 1000",
             [](std::int32_t value) { return value >= 1 && value <= 1000; });
  check_axis("threads", std::vector{threads}, "from 0 to 1024",
             [](std::int32_t value) { return value >= 0 && value <= 1024; });
}

namespace sweep {
namespace {

Selection selection_of(const SweepPoint& settings, const SweepAxes& axes) {
  Selection selection;
  selection.options.name = settings.selector;
  selection.options.top_k =
      static_cast<std::size_t>(*std::max_element(axes.top_k.begin(), axes.top_k.end()));
  selection.options.tau = settings.tau.value_or(selection.options.tau);
  selection.options.power = settings.power.value_or(selection.options.power);
  selection.options.wording = settings.wording.value_or(selection.options.wording);
  for (const std::int32_t top_k : axes.top_k) {
    for (const double min_confidence : axes.min_confidence) {
      selection.points.push_back(settings);
      selection.points.back().top_k = top_k;
      selection.points.back().min_confidence = min_confidence;
    }
  }
  return selection;
}

}  // namespace

std::vector<Selection> make_selections(const SweepAxes& axes) {
  std::vector<Selection> selections;
  SweepPoint settings;
  for (const std::string& selector : axes.selector) {
    settings = {};
    settings.selector = selector;
    if (selector == "frequency" || selector == "learned")
      selections.push_back(selection_of(settings, axes));
    if (selector == "lenient") {
      for (const double tau : axes.tau) {
        settings.tau = tau;
        selections.push_back(selection_of(settings, axes));
      }
    }
    if (selector == "coverage") {
      for (const double power : axes.power) {
        for (const double wording : axes.wording) {
          settings.power = power;
          settings.wording = wording;
          selections.push_back(selection_of(settings, axes));
        }
      }
    }
  }
  return selections;
}

}  // namespace sweep
}  // namespace diffie
