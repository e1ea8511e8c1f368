#include "train/toml.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

#include "diffie/error.h"

namespace diffie::train {
namespace {

constexpr std::size_t kMaxDepth = 4;  // of nested arrays

bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  std::vector<TomlEntry> document() {
    std::vector<TomlEntry> entries;
    std::set<std::string> tables, paths;
    std::string table;
    for (skip_lines(); pos_ < text_.size(); skip_lines()) {
      if (take('[')) {
        table = key();
        if (!take(']')) fail("a table header ends in ']'");
        if (!tables.insert(table).second) fail(fmt::format("table [{}] stands here twice", table));
      } else {
        entries.push_back(entry(table));
        if (!paths.insert(entries.back().path).second) {
          fail(fmt::format("'{}' is set twice", entries.back().path));
        }
      }
      end_of_line();
    }
    return entries;
  }

  TomlValue lone_value() {
    skip_blanks();
    TomlValue result = value(0);
    skip_blanks();
    if (pos_ != text_.size()) fail("something follows the value");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadInput, fmt::format("{}:{}: {}", where_, line_, what));
  }

  char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  bool take(char c) {
    if (peek() != c || pos_ >= text_.size()) return false;
    ++pos_;
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++pos_;
  }
  void skip_comment() {
    if (peek() != '#') return;
    while (pos_ < text_.size() && text_[pos_] != '\n') ++pos_;
  }
  bool skip_line_end() {
    if (peek() == '\r' && pos_ + 1 < text_.size() && text_[pos_ + 1] == '\n') ++pos_;
    if (!take('\n')) return false;
    ++line_;
    return true;
  }
  void skip_lines() {
    do {
      skip_blanks();
      skip_comment();
    } while (skip_line_end());
  }
  void end_of_line() {
    skip_blanks();
    skip_comment();
    if (pos_ < text_.size() && !skip_line_end()) fail("something follows on the line");
  }

  std::string key() {
    skip_blanks();
    const std::size_t begin = pos_;
    while (is_key_char(peek())) ++pos_;
    if (pos_ == begin) fail("a bare key of letters, digits, '_' and '-' is wanted");
    std::string result(text_.substr(begin, pos_ - begin));
    skip_blanks();
    return result;
  }

  TomlEntry entry(const std::string& table) {
    TomlEntry result;
    result.line = line_;
    const std::string name = key();
    result.path = table.empty() ? name : table + "." + name;
    if (!take('=')) fail(fmt::format("'{}' is not followed by '='", name));
    skip_blanks();
    result.value = value(0);
    return result;
  }

  TomlValue value(std::size_t depth) {
    if (peek() == '"') return {string()};
    if (peek() == '[') return array(depth);
    const std::size_t begin = pos_;
    while (is_key_char(peek()) || peek() == '+' || peek() == '.') ++pos_;
    return scalar(text_.substr(begin, pos_ - begin));
  }

  TomlValue array(std::size_t depth) {
    if (depth >= kMaxDepth) fail("arrays are nested too deeply");
    take('[');
    TomlValue::Array items;
    for (skip_lines(); !take(']'); skip_lines()) {
      items.push_back(value(depth + 1));
      skip_lines();
      if (!take(',') && peek() != ']') fail("an array goes on with ',' or ends in ']'");
    }
    return {std::move(items)};
  }

  std::string string() {
    take('"');
    std::string result;
    while (!take('"')) {
      if (pos_ >= text_.size() || peek() == '\n') fail("a string does not end on its line");
      char c = text_[pos_++];
      if (c == '\\') c = escape();
      result += c;
    }
    return result;
  }

  char escape() {
    const char c = peek();
    ++pos_;
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case '"':
      case '\\':
        return c;
      default:
        fail("a string holds an escape other than \\n, \\t, \\\" and \\\\");
    }
  }

  TomlValue scalar(std::string_view token) {
    if (token == "true") return {true};
    if (token == "false") return {false};
    std::string digits;
    for (const char c : token) {
      if (c != '_') digits += c;
    }
    const char* begin = digits.data() + (digits.starts_with('+') ? 1 : 0);
    const char* end = digits.data() + digits.size();
    std::int64_t integer = 0;
    if (const auto [stop, error] = std::from_chars(begin, end, integer);
        error == std::errc() && stop == end) {
      return {integer};
    }
    double number = 0;
    if (const auto [stop, error] = std::from_chars(begin, end, number);
        error == std::errc() && stop == end && std::isfinite(number)) {
      return {number};
    }
    fail(fmt::format("'{}' is no number, boolean, quoted string or array", token));
  }

  std::string_view text_;
  std::string_view where_;
  std::size_t pos_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<TomlEntry> parse_toml(std::string_view text, std::string_view where) {
  return Parser(text, where).document();
}

TomlValue parse_toml_value(std::string_view text, std::string_view where) {
  return Parser(text, where).lone_value();
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

std::string toml_number(double value) {
  std::string result = fmt::format("{}", value);
  if (result.find_first_of(".en") == std::string::npos) result += ".0";
  return result;
}

}  // namespace diffie::train
