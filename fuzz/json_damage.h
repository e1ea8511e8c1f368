// A valid JSON text with values, members and names of it changed: most of what comes out is JSON
// still, and reaches the checks behind the parser.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"

namespace diffie::fuzz {

class JsonDamage {
 public:
  explicit JsonDamage(std::string valid) : text_(std::move(valid)) { scan_value(0, 0); }

  // The input itself, or where its first byte is odd the valid text with some places damaged.
  std::string from(std::string_view input) const {
    Choices choices(input);
    if (choices.byte() % 2 == 0) return std::string(choices.rest());
    std::vector<Edit> edits;
    for (int i = 0; i < 4 && choices.any(); ++i) edits.push_back(edit(choices));
    return applied(edits);
  }

 private:
  // A value and, inside an object, the member that it is of.
  struct Place {
    std::size_t member, begin, end;
  };
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };

  std::size_t string_end(std::size_t at) const {
    for (++at; text_[at] != '"'; ++at) at += text_[at] == '\\';
    return at + 1;
  }

  // `text_` is compact: no white space between its parts. Returns the value's end.
  std::size_t scan_value(std::size_t member, std::size_t begin) {
    const std::size_t index = places_.size();
    places_.push_back({member, begin, begin});
    std::size_t at = begin;
    if (text_[at] == '{' || text_[at] == '[') {
      const bool is_object = text_[at] == '{';
      for (++at; text_[at] != '}' && text_[at] != ']'; at += text_[at] == ',') {
        const std::size_t name = at;
        if (is_object) at = string_end(at) + 1;
        at = scan_value(name, at);
      }
      ++at;
    } else if (text_[at] == '"') {
      at = string_end(at);
    } else {
      at = std::min(text_.find_first_of(",]}", at), text_.size());
    }
    places_[index].end = at;
    return at;
  }

  std::string quoted(const Place& place) const {
    return text_.substr(place.begin, place.end - place.begin);
  }

  std::string other_value(Choices& choices) const {
    switch (choices.below(10)) {
      case 0:
        return std::to_string(choices.number());
      case 1:
        return "-" + std::to_string(choices.number());
      case 2:
        return std::to_string(static_cast<double>(choices.byte()) / 64);
      case 3:
        return '"' + std::string(choices.text(40)) + '"';
      case 4:
        return std::to_string(choices.byte()) + "e" + std::to_string(int{choices.byte()} * 4 - 512);
      case 5:
        return "null";
      case 6:
        return "[" + std::to_string(choices.byte()) + "," + std::to_string(choices.byte()) + "]";
      case 7:
        return std::to_string(choices.byte());
      case 8:
        return quoted(places_[choices.below(places_.size())]);
      default:
        return choices.below(2) == 1 ? "true" : "false";
    }
  }

  Edit edit(Choices& choices) const {
    const Place& place = places_[choices.below(places_.size())];
    const std::string member = text_.substr(place.member, place.end - place.member);
    switch (choices.below(12)) {
      case 0:  // without it
        return {place.member, place.end + (place.end < text_.size() && text_[place.end] == ','),
                ""};
      case 1:  // twice
        return {place.end, place.end, "," + member};
      case 2:  // one more
        return {place.member, place.member, "\"more\":1,"};
      case 3:
        return {place.begin, place.end, "[" + quoted(place) + "]"};
      case 4:  // another name
        if (place.member == place.begin) break;
        return {place.member, place.begin, '"' + std::string(choices.text(20)) + "\":"};
      default:
        break;
    }
    return {place.begin, place.end, other_value(choices)};
  }

  std::string applied(std::vector<Edit>& edits) const {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t reached = 0;
    for (const Edit& edit : edits) {
      if (edit.begin < reached) continue;
      out.append(text_, reached, edit.begin - reached).append(edit.text);
      reached = edit.end;
    }
    return out.append(text_, reached);
  }

  std::string text_;
  std::vector<Place> places_;
};

}  // namespace diffie::fuzz
