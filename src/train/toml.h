// The part of TOML that run files use: [table] headers, key = value, strings, integers, floats,
// booleans and arrays of these. Anything else is refused, naming the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace diffie::train {

struct TomlValue {
  using Array = std::vector<TomlValue>;
  std::variant<bool, std::int64_t, double, std::string, Array> data;
};

struct TomlEntry {
  std::string path;  // "table.key"; keys above the first table have no dot
  TomlValue value;
  std::size_t line = 0;
};

// Entries in file order. `where` names the file in messages. Throws kBadInput for what is not TOML,
// for duplicates, and for TOML beyond this part.
std::vector<TomlEntry> parse_toml(std::string_view text, std::string_view where);

// One value alone, as it stands on the right of '='.
TomlValue parse_toml_value(std::string_view text, std::string_view where);

std::string toml_string(std::string_view text);  // quoted and escaped
std::string toml_number(double value);           // shortest form that reads back the same

}  // namespace diffie::train
