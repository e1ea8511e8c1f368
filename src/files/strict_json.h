// JSON from files that are not trusted: depth and size capped, no duplicate keys, and every field
// read with its type and its range. Messages name the file and the JSON path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::files {

struct JsonLimits {
  std::size_t max_depth = 8;  // arrays and objects inside each other
  std::size_t max_values = 1'000'000;
};

// Throws kCorruptModel, naming `where` and the byte or the path of what is wrong; a key that is
// there twice is a base::FieldError with its path.
nlohmann::json parse_strict_json(std::string_view text, std::string_view where,
                                 const JsonLimits& limits = {});

// Empties a value of such depth when it goes. The library's own destructor asks for memory, and
// where there is none it ends the process.
class TakesApart {
 public:
  explicit TakesApart(nlohmann::json& value) : value_(value) {}
  TakesApart(const TakesApart&) = delete;
  TakesApart& operator=(const TakesApart&) = delete;
  ~TakesApart();

 private:
  nlohmann::json& value_;
};

// One object, looked at field by field; borrows the value. All getters throw kCorruptModel when the
// key is absent, has another type, or lies outside the range.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, std::string_view where, std::string path = "");

  bool has(std::string_view key) const;
  std::vector<std::string> keys() const;

  std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max);
  std::int32_t int32(std::string_view key, std::int32_t min, std::int32_t max);
  double number(std::string_view key, double min, double max);
  bool boolean(std::string_view key);
  std::string string(std::string_view key, std::size_t max_bytes);
  // The position in `names` of the string under `key`.
  std::size_t one_of(std::string_view key, std::span<const std::string_view> names);
  std::vector<std::string> strings(std::string_view key, std::size_t max_count,
                                   std::size_t max_bytes);
  std::vector<std::uint64_t> unsigneds(std::string_view key, std::size_t max_count);
  JsonObject object(std::string_view key);

  // Refuses keys that no getter has asked for, so a misspelt one is noticed.
  void finish() const;

  // "file.json: encoder.layers: ..." as a kCorruptModel error.
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;

 private:
  const nlohmann::json& get(std::string_view key);

  const nlohmann::json* value_;
  std::string where_;
  std::string path_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace diffie::files
