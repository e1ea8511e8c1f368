// Bytes of valid UTF-8 to characters and back.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "diffie/text.h"

namespace diffie::python {

inline bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Walks forward through a text; positions are asked for in rising order.
class CharacterCounter {
 public:
  explicit CharacterCounter(std::string_view text) : text_(text) {}

  std::size_t characters_before(std::size_t byte) {
    while (byte_ < byte) character_ += begins_character(text_[byte_++]) ? 1 : 0;
    return character_;
  }

  // The text's size where it has fewer characters.
  std::size_t byte_of(std::size_t character) {
    while (byte_ < text_.size() && (character_ < character || !begins_character(text_[byte_]))) {
      character_ += begins_character(text_[byte_++]) ? 1 : 0;
    }
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::size_t character_ = 0;
};

}  // namespace diffie::python
