#include "json_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/printable.h"
#include "base/utf8.h"
#include "diffie/error.h"

namespace diffie::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorCode::kBadInput, problem); }

// Takes the two fields of the outermost object as they pass by.
class RowReader : public json::json_sax_t {
 public:
  explicit RowReader(const RowFields& fields) : fields_(fields) {}

  JsonRow take() {
    if (!text_) refuse(fmt::format("no field '{}'", fields_.text));
    if (!id_ && !fields_.id.empty()) refuse(fmt::format("no field '{}'", fields_.id));
    return {std::move(*text_), std::move(id_).value_or(""), ""};
  }

  bool null() override { return other("null"); }
  bool boolean(bool) override { return other("true or false"); }
  bool number_integer(number_integer_t value) override { return integer(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return integer(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override {
    const bool is_whole = written.find_first_of(".eE") == string_t::npos;
    return other(is_whole ? "a number beyond 64 bits" : "a fraction");
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open("an object"); }
  bool start_array(std::size_t) override { return open("an array"); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool string(string_t& value) override {
    if (!in_row()) return other("a string");
    if (is_text_) keep(text_, fields_.text, value);
    if (is_id_) keep(id_, fields_.id, value);
    return true;
  }

  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    is_text_ = name == fields_.text;
    is_id_ = !fields_.id.empty() && name == fields_.id;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const json::exception& problem) override {
    constexpr int kNumberOverflow = 406;
    const bool too_large = problem.id == kNumberOverflow;
    refuse(fmt::format("{} at byte {}", too_large ? "a number too large" : "not JSON", position));
  }

 private:
  bool in_row() const { return depth_ == 1; }

  static void keep(std::optional<std::string>& field, std::string_view name,
                   const std::string& value) {
    if (field) refuse(fmt::format("field '{}' appears twice", name));
    field = value;
  }

  bool integer(const std::string& value) {
    if (!in_row() || is_text_ || !is_id_) return other("a number");
    keep(id_, fields_.id, value);
    return true;
  }

  bool other(const char* found) {
    if (depth_ == 0) refuse(fmt::format("found {}, wanted an object", found));
    if (in_row() && is_text_) refuse_type(fields_.text, found, "a string");
    if (in_row() && is_id_) refuse_type(fields_.id, found, "a string or a whole number");
    return true;
  }

  [[noreturn]] static void refuse_type(std::string_view name, const char* found,
                                       const char* wanted) {
    refuse(fmt::format("field '{}' is {}, wanted {}", name, found, wanted));
  }

  bool open(std::string_view what) {
    if (depth_ > 0 || what != "an object") other(what.data());
    if (++depth_ > kMaxDepth) refuse(fmt::format("JSON is nested deeper than {}", kMaxDepth));
    return true;
  }

  bool close() {
    --depth_;
    return true;
  }

  const RowFields& fields_;
  std::size_t depth_ = 0;
  bool is_text_ = false;  // the field just named
  bool is_id_ = false;
  std::optional<std::string> text_;
  std::optional<std::string> id_;
};

// The code unit of the escape \uXXXX at `at`; none: there is no such escape.
std::optional<unsigned> unit_at(std::string_view line, std::size_t at) {
  if (line.substr(at, 2) != "\\u" || line.size() - at < 6) return std::nullopt;
  unsigned unit = 0;
  const char* const digits = line.data() + at + 2;
  const auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
  return error == std::errc() && end == digits + 4 ? std::optional(unit) : std::nullopt;
}

// Halves of surrogate pairs without their other half, which Python and JavaScript write, become
// U+FFFD; whether there were any. In JSON a backslash stands in strings alone.
bool replace_lone_surrogates(std::string& line) {
  bool found = false;
  for (std::size_t at = line.find('\\'); at != std::string::npos; at = line.find('\\', at)) {
    const unsigned unit = unit_at(line, at).value_or(0);
    const unsigned next = unit_at(line, std::min(at + 6, line.size())).value_or(0);
    const bool is_high = unit >= 0xD800 && unit <= 0xDBFF;
    const bool is_pair = is_high && next >= 0xDC00 && next <= 0xDFFF;
    if (!is_pair && unit >= 0xD800 && unit <= 0xDFFF) {
      line.replace(at + 2, 4, "fffd");
      found = true;
    }
    at = std::min(at + (is_pair ? 12 : 2), line.size());
  }
  return found;
}

}  // namespace

JsonRow read_json_row(std::string_view line, const RowFields& fields) {
  // The library takes a zero byte for the end and would ignore what follows it.
  const std::size_t zero = line.find('\0');
  if (zero != std::string_view::npos) refuse(fmt::format("zero byte at byte {}", zero));
  const bool has_escapes = line.find("\\u") != std::string_view::npos;
  const bool is_utf8 = !base::find_invalid_utf8(line);
  std::string readable;
  bool has_lone_surrogates = false;
  if (has_escapes || !is_utf8) {
    base::append_valid_utf8(readable, line);
    has_lone_surrogates = replace_lone_surrogates(readable);
    line = readable;
  }
  RowReader reader(fields);
  json::sax_parse(line.begin(), line.end(), &reader);
  JsonRow row = reader.take();
  if (has_lone_surrogates) row.replaced = "a lone surrogate";
  if (!is_utf8) row.replaced = "invalid UTF-8";
  return row;
}

}  // namespace diffie::cli
