#include "train/run_file.h"

#include <fmt/format.h>

#include <utility>

#include "diffie/error.h"
#include "files/read_file.h"

namespace diffie::train {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr int kMaxBases = 8;  // one that comes back to itself ends here, too
constexpr std::string_view kSetting = "--set ";

std::string name_of(const toml::source_region& source) {
  if (source.path->starts_with(kSetting)) return *source.path;
  return fmt::format("{}:{}", *source.path, source.begin.line);
}

toml::table parse(std::string_view text, std::string_view where) {
  try {
    return toml::parse(text, where);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: {}", name_of(error.source()), error.description()));
  }
}

// Values are moved, never copied: a copy does not know where it stands.
void lay_over(toml::table& below, toml::table&& above) {
  for (auto&& [key, value] : above) {
    toml::node* const old = below.get(key);
    if (old != nullptr && old->is_table() && value.is_table()) {
      lay_over(*old->as_table(), std::move(*value.as_table()));
    } else {
      below.insert_or_assign(key, std::move(value));
    }
  }
}

toml::table read_with_bases(const std::filesystem::path& path, int bases_left) {
  toml::table table = parse(files::read_small_file(path, kMaxBytes), path.string());
  const toml::node* const base = table.get("base");
  if (base == nullptr) return table;
  const auto fail = [&](std::string_view problem) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: base: {}", name_of(base->source()), problem));
  };
  if (!base->is_string()) fail("a quoted string is wanted");
  if (bases_left == 0) fail("too many files lie over each other; does one name itself?");
  toml::table below =
      read_with_bases(path.parent_path() / base->as_string()->get(), bases_left - 1);
  table.erase("base");
  lay_over(below, std::move(table));
  return below;
}

}  // namespace

std::string place_of(const toml::node& value) { return name_of(value.source()); }

toml::table read_run_file(const std::filesystem::path& path,
                          std::span<const std::string> settings) {
  toml::table table = read_with_bases(path, kMaxBases);
  for (const std::string& setting : settings) {
    if (setting.find('=') == std::string::npos) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("setting '{}' has no '=', table.key=value is wanted", setting));
    }
    lay_over(table, parse(setting, std::string(kSetting) + setting));
  }
  return table;
}

}  // namespace diffie::train
