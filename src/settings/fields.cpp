#include "settings/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/field_error.h"
#include "base/printable.h"
#include "diffie/error.h"

namespace diffie::settings {
namespace {

constexpr std::array<std::string_view, 3> kRules = {"longest", "relation-runs", "all-runs"};
constexpr std::array<std::string_view, 4> kSelectors = {"lenient", "frequency", "coverage",
                                                        "learned"};
constexpr std::array<std::string_view, 4> kPrecisions = {"int8", "fp32", "fp8", "fp16"};
constexpr std::array<std::string_view, 3> kDevices = {"cpu", "cuda", "auto"};

template <auto member>
constexpr NameField name_field(std::span<const std::string_view> names) {
  return {
      names, [](const Settings& settings) { return static_cast<std::size_t>(settings.*member); },
      [](Settings& settings, std::size_t index) {
        settings.*member = static_cast<std::remove_reference_t<decltype(settings.*member)>>(index);
      }};
}

const std::array kFields = std::to_array<Field>({
    {"samples", Place::kPreset, IntegerField{&Settings::samples, 1, 65536},
     "Tag sequences per sentence (n)"},
    {"steps", Place::kPreset, IntegerField{&Settings::steps, 1, 4096},
     "Denoising steps, at most as many as the model was trained with"},
    {"top_k", Place::kPreset, IntegerField{&Settings::top_k, 1, 1024},
     "Triples per sentence at most"},
    {"tau", Place::kPreset, RealField{&Settings::tau, 0, 1, true},
     "Lenient-match threshold (selector lenient)"},
    {"rule", Place::kPreset, name_field<&Settings::rule>(kRules),
     "Which runs of tagged words make a triple"},
    {"selector", Place::kPreset, name_field<&Settings::selector>(kSelectors),
     "How triples are chosen from the samples"},
    {"power", Place::kPreset, RealField{&Settings::power, 0, 64, true},
     "Exponent of the similarity (selector coverage)"},
    {"wording", Place::kPreset, RealField{&Settings::wording, 0, 1},
     "Similarity at which the usual wording is shown, 0: never (selector coverage)"},
    {"min_confidence", Place::kPreset, RealField{&Settings::min_confidence, 0, 1},
     "Leave out triples below this"},
    {"temperature", Place::kPreset, RealField{&Settings::temperature, 0, 10, true},
     "Of the predicted tags"},
    {"remask", Place::kPreset, RealField{&Settings::remask, 0, 1},
     "Share of decided tags masked again per step (absorbing noise)"},
    {"times", Place::kShortcut, ListField{&Settings::times, 4096},
     "The steps at which the model is asked, falling; none: evenly strided"},
    {"shared", Place::kShortcut, ListField{&Settings::shared, 65536},
     "Neighbouring samples that are still one row, per step; none: no row is shared"},
    {"stratified", Place::kShortcut, FlagField{&Settings::stratified},
     "Spread the random numbers evenly over the rows"},
    {"theta", Place::kShortcut, RealField{&Settings::theta, 1e-4, 1},
     "Leave out what is less likely than this on the way (anchored models)"},
    {"branch", Place::kShortcut, IntegerField{&Settings::branch, 1, 6},
     "Relations that a word is asked for (anchored models)"},
    {"refine", Place::kShortcut, FlagField{&Settings::refine},
     "Ask about a second word where one leaves the relation unsure (anchored models)"},
    {"judged", Place::kShortcut, IntegerField{&Settings::judged, 0, 1024},
     "Candidates that the model's judge is asked about, the most frequent ones; 0: none"},
    {"tidy", Place::kShortcut, FlagField{&Settings::tidy},
     "Trim marks, list numbers and conjunctions at the edges; leave out triples that say nothing"},
    {"explicit_only", Place::kShortcut, FlagField{&Settings::explicit_only},
     "Leave out triples whose relation is implied alone"},
    {"precision", Place::kRun, name_field<&Settings::precision>(kPrecisions),
     "Arithmetic; the preset paper computes in fp32, others in int8 where the model has it (on a "
     "GPU bf16, or else fp16); fp8, fp16: on a GPU alone"},
    {"device", Place::kRun, name_field<&Settings::device>(kDevices),
     "Where the networks are computed; auto: on the GPU where there is one"},
    {"devices", Place::kRun, ListField{&Settings::devices, 127, 0, 64},
     "The GPUs that share the work, by CUDA's numbers; none: the first (device cuda or auto)"},
    {"seed", Place::kRun, SeedField{&Settings::seed}, "Of the random numbers"},
    {"threads", Place::kRun, IntegerField{&Settings::threads, 0, 1024},
     "Worker threads, 0: one per core"},
    {"pretokenized", Place::kRun, FlagField{&Settings::pretokenized},
     "One sentence per line, words separated by white space"},
    {"asserted_only", Place::kRun, FlagField{&Settings::asserted_only},
     "Leave out what is denied, possible, asked, ordered, conditional or somebody's claim"},
    {"split_coordination", Place::kRun, FlagField{&Settings::split_coordination},
     "A triple for each part of \"A, B and C\" in subject and object"},
    {"drop_contained", Place::kRun, FlagField{&Settings::drop_contained},
     "Leave out triples whose words another one has, slot by slot"},
    {"skip_pronouns", Place::kRun, FlagField{&Settings::skip_pronouns},
     "Leave out triples whose subject is a pronoun or points to here and now"},
    {"mark_circumstances", Place::kRun, FlagField{&Settings::mark_circumstances},
     "Name the time and place phrases of a triple"},
});

[[noreturn]] void refuse(std::string_view name, const std::string& value,
                         const std::string& wanted) {
  throw base::FieldError(ErrorCode::kInvalidArgument, std::string(name),
                         fmt::format("{} is {}, must be {}", name, value, wanted));
}

struct Allowed {
  std::string operator()(const IntegerField& field) const {
    return fmt::format("from {} to {}", field.low, field.high);
  }
  std::string operator()(const RealField& field) const {
    return fmt::format("{} {} and at most {}", field.above_low ? "above" : "at least", field.low,
                       field.high);
  }
  std::string operator()(const NameField& field) const {
    return fmt::format("one of {}", fmt::join(field.names, ", "));
  }
  std::string operator()(const FlagField&) const { return "true or false"; }
  std::string operator()(const ListField& field) const {
    if (field.most == 0) {
      return fmt::format("numbers from {} to {}, one per step, or none", field.low, field.high);
    }
    return fmt::format("at most {} numbers from {} to {}, or none", field.most, field.low,
                       field.high);
  }
  std::string operator()(const SeedField&) const { return "a whole number of 64 bits"; }
};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field& field(std::string_view name) {
  for (const Field& each : kFields) {
    if (each.name == name) return each;
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("no setting is named '{}'", base::printable(name)));
}

std::string allowed(const Field& field) { return std::visit(Allowed{}, field.kind); }

void check(const Field& field, const Settings& settings) {
  bool fits = true;
  if (const auto* integer = std::get_if<IntegerField>(&field.kind)) {
    const std::int32_t value = settings.*integer->member;
    fits = value >= integer->low && value <= integer->high;
  } else if (const auto* real = std::get_if<RealField>(&field.kind)) {
    const double value = settings.*real->member;  // NaN fits nowhere
    fits = (real->above_low ? value > real->low : value >= real->low) && value <= real->high;
  } else if (const auto* name = std::get_if<NameField>(&field.kind)) {
    fits = name->get(settings) < name->names.size();
  } else if (const auto* list = std::get_if<ListField>(&field.kind)) {
    const std::vector<std::int32_t>& values = settings.*list->member;
    fits = (list->most == 0 || values.size() <= list->most) &&
           std::all_of(values.begin(), values.end(), [&](std::int32_t value) {
             return value >= list->low && value <= list->high;
           });
  }
  if (!fits) refuse(field.name, get_setting(settings, field.name), allowed(field));
}

std::string_view name_of(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }
std::string_view name_of(SelectorKind selector) {
  return kSelectors[static_cast<std::size_t>(selector)];
}

Rule rule_from_name(std::string_view name) {
  Settings settings;
  set_setting(settings, "rule", name);
  return settings.rule;
}

SelectorKind selector_from_name(std::string_view name) {
  Settings settings;
  set_setting(settings, "selector", name);
  return settings.selector;
}

}  // namespace diffie::settings
