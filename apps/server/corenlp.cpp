#include "corenlp.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/utf8.h"
#include "corenlp_protobuf.h"
#include "http_error.h"
#include "message.h"

namespace diffie::server {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Reads a map as JSON, Python and Java print it; Java neither quotes nor escapes. Braces around it
// may be missing. A list is the text of its items with commas between, another map stays as it is.
class PropertyReader {
 public:
  explicit PropertyReader(std::string_view text) : text_(text) {}

  std::map<std::string, std::string> read() {
    std::map<std::string, std::string> properties;
    const bool braced = take("{");
    if (!at_end(braced)) {
      do {
        std::string key = next_is("\"'") ? quoted() : bare(":=");
        if (key.empty() || !take(":=")) fail();
        properties[std::move(key)] = value();
      } while (take(","));
    }
    if (braced && !take("}")) fail();
    if (!at_end(false)) fail();
    return properties;
  }

 private:
  [[noreturn]] void fail() const {
    throw bad_field("properties", fmt::format("properties are no map at byte {}", position_));
  }

  void skip_blanks() {
    position_ = std::min(text_.find_first_not_of(kBlanks, position_), text_.size());
  }

  bool next_is(std::string_view any) {
    skip_blanks();
    return position_ < text_.size() && any.find(text_[position_]) != std::string_view::npos;
  }

  bool at_end(bool braced) {
    skip_blanks();
    return position_ == text_.size() || (braced && text_[position_] == '}');
  }

  bool take(std::string_view any) {
    const bool found = next_is(any);
    if (found) ++position_;
    return found;
  }

  std::string value() {
    if (next_is("\"'")) return quoted();
    if (next_is("[")) return list();
    if (next_is("{")) return nested();
    return bare("");
  }

  std::string quoted() {
    const char quote = text_[position_++];
    std::string found;
    while (position_ < text_.size() && text_[position_] != quote) {
      if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
      found += text_[position_++];
    }
    if (position_ == text_.size()) fail();
    ++position_;
    return found;
  }

  std::string list() {
    ++position_;
    std::string items;
    if (take("]")) return items;
    do {
      items += items.empty() ? "" : ",";
      items += next_is("\"'") ? quoted() : next_is("[{") ? nested() : up_to(",]");
    } while (take(","));
    if (!take("]")) fail();
    return items;
  }

  std::string nested() {
    const std::size_t begin = position_;
    std::size_t depth = 0;
    do {
      if (position_ == text_.size()) fail();
      const char next = text_[position_];
      if (next == '"' || next == '\'') {
        quoted();
        continue;
      }
      if (next == '{' || next == '[') ++depth;
      if (next == '}' || next == ']') --depth;
      ++position_;
    } while (depth > 0);
    return std::string(text_.substr(begin, position_ - begin));
  }

  // Without quotes, up to one of `ends`, a brace, or a comma that a key follows: Java prints
  // {a=b,c, d=e} of a = "b,c".
  std::string bare(std::string_view ends) {
    std::string found = up_to(fmt::format("{},{{}}", ends));
    while (ends.empty() && position_ < text_.size() && text_[position_] == ',' &&
           !key_follows(position_ + 1)) {
      ++position_;
      found += "," + up_to(",{}");
    }
    return found;
  }

  bool key_follows(std::size_t place) const {
    place = text_.find_first_not_of(kBlanks, place);
    if (place == std::string_view::npos) return false;
    if (text_[place] == '"' || text_[place] == '\'') return true;
    const std::size_t end = text_.find_first_of(",{}:=", place);
    return end != std::string_view::npos && (text_[end] == ':' || text_[end] == '=');
  }

  std::string up_to(std::string_view ends) {
    skip_blanks();
    const std::size_t end = std::min(text_.find_first_of(ends, position_), text_.size());
    std::string found(text_.substr(position_, end - position_));
    position_ = end;
    found.erase(found.find_last_not_of(kBlanks) + 1);
    return found;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

// Names with commas or blanks between.
bool names(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", \t\r\n"), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::map<std::string, std::string> parse_properties(std::string_view text) {
  return PropertyReader(text).read();
}

ExtractRequest parse_corenlp_request(std::string_view query, std::string body) {
  const std::map<std::string, std::string> properties =
      parse_properties(query_value(query, "properties"));
  const auto value = [&](const std::string& name) {
    const auto found = properties.find(name);
    return found != properties.end() ? found->second : query_value(query, name);
  };
  const std::string format = value("outputFormat");
  if (!format.empty() && format != "json" && format != "serialized") {
    throw bad_field("outputFormat", fmt::format("outputFormat is '{}', must be json or serialized",
                                                base::printable(format)));
  }
  const std::string annotators = value("annotators");
  if (!annotators.empty() && !names(annotators, "openie")) {
    throw bad_field("annotators", fmt::format("annotators are '{}', openie must be among them",
                                              base::printable(annotators)));
  }
  if (base::find_invalid_utf8(body)) throw bad_field("", "the body is not UTF-8");
  ExtractRequest request;
  request.format = format == "serialized" ? kCorenlpSerialized : "corenlp";
  request.documents.push_back({"", std::move(body)});
  return request;
}

}  // namespace diffie::server
