#include "extract/selector.h"

#include "base/field_error.h"
#include "extract/selectors.h"

namespace diffie::extract {

std::unique_ptr<Selector> make_selector(const Settings& settings,
                                        std::shared_ptr<const Ranker> ranker) {
  settings.validate();
  switch (settings.selector) {
    case SelectorKind::kLenient:
      return make_lenient_selector(settings);
    case SelectorKind::kFrequency:
      return make_frequency_selector(settings);
    case SelectorKind::kCoverage:
      return make_coverage_selector(settings);
    case SelectorKind::kLearned:
      if (ranker) return make_learned_selector(settings, std::move(ranker));
  }
  throw base::FieldError(ErrorCode::kInvalidArgument, "selector",
                         "selector 'learned' needs a ranker, there is none");
}

}  // namespace diffie::extract
