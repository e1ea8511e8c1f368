#include "corenlp.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/utf8.h"
#include "corenlp_protobuf.h"
#include "http_error.h"
#include "message.h"

namespace diffie::server {
namespace {

// Reads a map as JSON, Python and Java write them.
class PropertyReader {
 public:
  explicit PropertyReader(std::string_view text) : text_(text) {}

  std::map<std::string, std::string> read() {
    std::map<std::string, std::string> properties;
    skip(" \t\r\n{");
    while (position_ < text_.size() && text_[position_] != '}') {
      std::string key = word(":=");
      skip(" \t\r\n:=");
      properties[std::move(key)] = word("");
      skip(" \t\r\n,");
    }
    return properties;
  }

 private:
  void skip(std::string_view any) {
    position_ = std::min(text_.find_first_not_of(any, position_), text_.size());
  }

  // Quoted, or up to a comma, a brace or one of `ends`.
  std::string word(std::string_view ends) {
    if (position_ < text_.size() && (text_[position_] == '"' || text_[position_] == '\''))
      return quoted(text_[position_++]);
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != ',' && text_[position_] != '}' &&
           ends.find(text_[position_]) == std::string_view::npos)
      ++position_;
    std::string found(text_.substr(begin, position_ - begin));
    found.erase(found.find_last_not_of(" \t\r\n") + 1);
    return found;
  }

  std::string quoted(char quote) {
    std::string found;
    while (position_ < text_.size() && text_[position_] != quote) {
      if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
      found += text_[position_++];
    }
    if (position_ < text_.size()) ++position_;
    return found;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

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
  if (!annotators.empty() && annotators.find("openie") == std::string::npos) {
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
