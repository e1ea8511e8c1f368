#include "extract/selector.h"

#include <fmt/format.h>

#include "diffie/error.h"
#include "extract/selectors.h"

namespace diffie::extract {
namespace {

// All fields, also those the named selector does not read: a bad value is a mistake either way.
void check(const SelectorOptions& options) {
  const auto refuse = [](std::string_view field, auto value, std::string_view wanted) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("selector: {} is {}, wanted {}", field, value, wanted));
  };
  if (options.top_k < 1) refuse("top_k", options.top_k, "at least 1");
  if (!(options.tau > 0 && options.tau <= 1)) refuse("tau", options.tau, "a number in (0, 1]");
  if (!(options.power > 0 && options.power <= 64))
    refuse("power", options.power, "a number in (0, 64]");
  if (!(options.wording >= 0 && options.wording <= 1))
    refuse("wording", options.wording, "a number in [0, 1]");
  if (!(options.min_confidence >= 0 && options.min_confidence <= 1))
    refuse("min_confidence", options.min_confidence, "a number in [0, 1]");
}

}  // namespace

std::unique_ptr<Selector> make_selector(const SelectorOptions& options) {
  check(options);
  if (options.name == "lenient") return make_lenient_selector(options);
  if (options.name == "frequency") return make_frequency_selector(options);
  if (options.name == "coverage") return make_coverage_selector(options);
  if (options.name == "learned") {
    if (options.ranker) return make_learned_selector(options);
    throw Error(ErrorCode::kInvalidArgument, "selector: 'learned' needs a ranker, there is none");
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("selector: '{}' is unknown, wanted lenient, frequency, coverage or learned",
                  options.name));
}

}  // namespace diffie::extract
