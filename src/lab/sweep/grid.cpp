#include "lab/sweep/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "diffie/error.h"
#include "settings/fields.h"

namespace diffie {
namespace {

// Every value of an axis must be one that the setting allows.
template <typename Value>
void check_axis(std::string_view name, const std::vector<Value>& values, Value Settings::*member) {
  if (values.empty()) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} has no value", name));
  }
  for (const Value& value : values) {
    Settings tried;
    tried.*member = value;
    settings::check(settings::field(name), tried);
  }
}

void check_number(std::string_view name, std::int32_t value, std::int32_t low, std::int32_t high) {
  if (value >= low && value <= high) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} is {}, must be from {} to {}", name, value, low, high));
}

}  // namespace

std::string SweepPoint::selector_name() const {
  return selector ? std::string(settings::name_of(*selector)) : "oracle";
}

std::string SweepPoint::rule_name() const { return std::string(settings::name_of(rule)); }

void SweepOptions::validate() const {
  if (axes.samples.empty()) throw Error(ErrorCode::kInvalidArgument, "samples has no value");
  for (const std::int32_t samples : axes.samples) check_number("samples", samples, 0, 65536);
  check_axis("top_k", axes.top_k, &Settings::top_k);
  check_axis("tau", axes.tau, &Settings::tau);
  check_axis("power", axes.power, &Settings::power);
  check_axis("wording", axes.wording, &Settings::wording);
  check_axis("min_confidence", axes.min_confidence, &Settings::min_confidence);
  check_axis("rule", axes.rule, &Settings::rule);
  check_axis("selector", axes.selector, &Settings::selector);
  const bool learned = std::find(axes.selector.begin(), axes.selector.end(),
                                 SelectorKind::kLearned) != axes.selector.end();
  if (learned && ranker.empty())
    throw Error(ErrorCode::kInvalidArgument, "selector 'learned' needs a ranker");
  check_number("repeats", repeats, 1, 1000);
  check_number("threads", threads, 0, 1024);
}

namespace sweep {
namespace {

Selection selection_of(const SweepPoint& point, const SweepAxes& axes) {
  Selection selection;
  selection.settings.selector = *point.selector;
  selection.settings.top_k = *std::max_element(axes.top_k.begin(), axes.top_k.end());
  selection.settings.tau = point.tau.value_or(selection.settings.tau);
  selection.settings.power = point.power.value_or(selection.settings.power);
  selection.settings.wording = point.wording.value_or(selection.settings.wording);
  for (const std::int32_t top_k : axes.top_k) {
    for (const double min_confidence : axes.min_confidence) {
      selection.points.push_back(point);
      selection.points.back().top_k = top_k;
      selection.points.back().min_confidence = min_confidence;
    }
  }
  return selection;
}

}  // namespace

std::vector<Selection> make_selections(const SweepAxes& axes) {
  std::vector<Selection> selections;
  for (const SelectorKind selector : axes.selector) {
    SweepPoint point;
    point.selector = selector;
    switch (selector) {
      case SelectorKind::kFrequency:
      case SelectorKind::kLearned:
        selections.push_back(selection_of(point, axes));
        break;
      case SelectorKind::kLenient:
        for (const double tau : axes.tau) {
          point.tau = tau;
          selections.push_back(selection_of(point, axes));
        }
        break;
      case SelectorKind::kCoverage:
        for (const double power : axes.power) {
          for (const double wording : axes.wording) {
            point.power = power;
            point.wording = wording;
            selections.push_back(selection_of(point, axes));
          }
        }
    }
  }
  return selections;
}

}  // namespace sweep
}  // namespace diffie
