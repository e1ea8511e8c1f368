// The table of settings: every name, range and help text stands here once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diffie/settings.h"

namespace diffie::settings {

struct IntegerField {
  std::int32_t Settings::*member;
  std::int32_t low;
  std::int32_t high;
};

struct RealField {
  double Settings::*member;
  double low;
  double high;
  bool above_low = false;  // low itself is not allowed
};

// A value of an enumeration, by its name; the names are in the order of the enumeration.
struct NameField {
  std::span<const std::string_view> names;
  std::size_t (*get)(const Settings&);
  void (*set)(Settings&, std::size_t);
};

struct FlagField {
  bool Settings::*member;
};

// Numbers, or none at all.
struct ListField {
  std::vector<std::int32_t> Settings::*member;
  std::int32_t high;
  std::int32_t low = 1;
  std::size_t most = 0;  // so many at most; 0: one per step
};

struct SeedField {
  std::uint64_t Settings::*member;
};

enum class Place {
  kPreset,    // stands in every preset of config.json
  kShortcut,  // stands there since version 2 of the format, where it is not the default
  kRun,       // is chosen for a run
};

struct Field {
  std::string_view name;
  Place place;
  std::variant<IntegerField, RealField, NameField, FlagField, ListField, SeedField> kind;
  std::string_view help;
};

std::span<const Field> fields();
const Field& field(std::string_view name);  // throws kInvalidArgument

// What a field allows, in words.
std::string allowed(const Field& field);

// Throws kInvalidArgument naming the field, its value and what is allowed.
void check(const Field& field, const Settings& settings);

// Names of enumerations and back; an unknown name is kInvalidArgument.
std::string_view name_of(Rule rule);
std::string_view name_of(SelectorKind selector);
Rule rule_from_name(std::string_view name);
SelectorKind selector_from_name(std::string_view name);

}  // namespace diffie::settings
