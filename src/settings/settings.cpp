#include "diffie/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <type_traits>

#include "base/field_error.h"
#include "base/printable.h"
#include "settings/fields.h"

namespace diffie {
namespace {

using namespace settings;

[[noreturn]] void refuse(const Field& field, std::string_view value) {
  throw base::FieldError(
      ErrorCode::kInvalidArgument, std::string(field.name),
      fmt::format("{} is '{}', must be {}", field.name, base::printable(value), allowed(field)));
}

// All of `text` as one number.
template <typename Number>
Number parse_number(const Field& field, std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || text.empty()) refuse(field, text);
  // 010 is ten to some and eight to others.
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (std::is_integral_v<Number> && digits.size() > 1 && digits[0] == '0') refuse(field, text);
  return value;
}

std::vector<std::int32_t> parse_list(const Field& field, std::string_view text) {
  if (text.empty() || text == "none") return {};
  std::vector<std::int32_t> values;
  while (true) {
    const std::size_t comma = text.find(',');
    values.push_back(parse_number<std::int32_t>(field, text.substr(0, comma)));
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

bool parse_flag(const Field& field, std::string_view text) {
  if (text != "true" && text != "false") refuse(field, text);
  return text == "true";
}

std::size_t parse_name(const Field& field, const NameField& names, std::string_view text) {
  for (std::size_t index = 0; index < names.names.size(); ++index) {
    if (names.names[index] == text) return index;
  }
  refuse(field, text);
}

// What the fields of the table must be to each other.
void check_times(const Settings& settings) {
  const auto fails = [](std::string_view name, const std::string& why) {
    throw base::FieldError(ErrorCode::kInvalidArgument, std::string(name), why);
  };
  const auto check_length = [&](std::string_view name, const std::vector<std::int32_t>& values) {
    if (values.empty() || values.size() == static_cast<std::size_t>(settings.steps)) return;
    fails(name, fmt::format("{} has {} numbers ({}) for {} steps: give as many as steps, or none",
                            name, values.size(), fmt::join(values, ","), settings.steps));
  };
  check_length("times", settings.times);
  check_length("shared", settings.shared);
  for (std::size_t i = 1; i < settings.times.size(); ++i) {
    if (settings.times[i] >= settings.times[i - 1]) {
      fails("times", fmt::format("times is {}, must be falling", fmt::join(settings.times, ",")));
    }
  }
  for (std::size_t i = 1; i < settings.shared.size(); ++i) {
    if (settings.shared[i - 1] % settings.shared[i] != 0) {
      fails("shared", fmt::format("shared is {}, but {} does not divide {} before it",
                                  fmt::join(settings.shared, ","), settings.shared[i],
                                  settings.shared[i - 1]));
    }
  }
}

void check_devices(const Settings& settings) {
  if (settings.devices.empty() || settings.device != Device::kCpu) return;
  throw base::FieldError(ErrorCode::kInvalidArgument, "devices",
                         fmt::format("devices is {}, but device is cpu: give device cuda or auto",
                                     fmt::join(settings.devices, ",")));
}

// The kind and range of a field.
struct Describe {
  SettingInfo& info;

  void operator()(const IntegerField& field) const {
    range(SettingKind::kInteger, field.low, field.high);
  }
  void operator()(const RealField& field) const {
    range(SettingKind::kNumber, field.low, field.high);
    info.above_minimum = field.above_low;
  }
  void operator()(const NameField& field) const {
    info.kind = SettingKind::kName;
    info.names.assign(field.names.begin(), field.names.end());
  }
  void operator()(const FlagField&) const { info.kind = SettingKind::kFlag; }
  void operator()(const ListField& field) const {
    range(SettingKind::kList, field.low, field.high);
  }
  void operator()(const SeedField&) const { info.kind = SettingKind::kSeed; }

  void range(SettingKind kind, double low, double high) const {
    info.kind = kind;
    info.minimum = low;
    info.maximum = high;
  }
};

}  // namespace

void Settings::validate() const {
  for (const Field& field : fields()) check(field, *this);
  check_times(*this);
  check_devices(*this);
}

std::vector<SettingInfo> setting_infos() {
  std::vector<SettingInfo> infos;
  for (const Field& field : fields()) {
    SettingInfo& info = infos.emplace_back();
    info.name = field.name;
    info.allowed = allowed(field);
    info.help = field.help;
    info.in_preset = field.place != Place::kRun;
    info.is_flag = std::holds_alternative<FlagField>(field.kind);
    std::visit(Describe{info}, field.kind);
  }
  return infos;
}

void set_setting(Settings& target, std::string_view name, std::string_view value) {
  const Field& field = settings::field(name);
  Settings settings = target;  // what is refused changes nothing
  if (const auto* integer = std::get_if<IntegerField>(&field.kind)) {
    settings.*integer->member = parse_number<std::int32_t>(field, value);
  } else if (const auto* real = std::get_if<RealField>(&field.kind)) {
    settings.*real->member = parse_number<double>(field, value);
  } else if (const auto* names = std::get_if<NameField>(&field.kind)) {
    names->set(settings, parse_name(field, *names, value));
  } else if (const auto* flag = std::get_if<FlagField>(&field.kind)) {
    settings.*flag->member = parse_flag(field, value);
  } else if (const auto* list = std::get_if<ListField>(&field.kind)) {
    settings.*list->member = parse_list(field, value);
  } else if (const auto* seed = std::get_if<SeedField>(&field.kind)) {
    settings.*seed->member = parse_number<std::uint64_t>(field, value);
  }
  check(field, settings);
  target = std::move(settings);
}

std::string get_setting(const Settings& settings, std::string_view name) {
  const Field& field = settings::field(name);
  struct Text {
    const Settings& settings;
    std::string operator()(const IntegerField& f) const {
      return fmt::format("{}", settings.*f.member);
    }
    std::string operator()(const RealField& f) const {
      return fmt::format("{}", settings.*f.member);
    }
    std::string operator()(const NameField& f) const {
      const std::size_t index = f.get(settings);
      return index < f.names.size() ? std::string(f.names[index]) : fmt::format("{}", index);
    }
    std::string operator()(const FlagField& f) const {
      return settings.*f.member ? "true" : "false";
    }
    std::string operator()(const ListField& f) const {
      const std::vector<std::int32_t>& values = settings.*f.member;
      return values.empty() ? "none" : fmt::format("{}", fmt::join(values, ","));
    }
    std::string operator()(const SeedField& f) const {
      return fmt::format("{}", settings.*f.member);
    }
  };
  return std::visit(Text{settings}, field.kind);
}

}  // namespace diffie
