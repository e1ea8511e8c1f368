// The normalised characters of one word, each with the byte range of the text it came from.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/utf8.h"
#include "diffie/text.h"

namespace diffie::text {

class WordBuffer {
 public:
  static constexpr std::size_t kMaxChars = 100;  // a longer word is [UNK]

  bool empty() const { return num_chars_ == 0; }
  bool too_long() const { return num_chars_ > kMaxChars; }
  std::string_view bytes() const { return {bytes_.data(), num_bytes_}; }
  Span span() const { return {first_.begin, last_.end}; }

  // The range that normalised bytes [begin, end) came from; both on character borders.
  Span source(std::size_t begin, std::size_t end) const { return {begins_[begin], ends_[end - 1]}; }

  void clear() { num_chars_ = num_bytes_ = 0; }

  // Characters past the limit are counted but not kept: such a word has no pieces.
  void add(char32_t code_point, Span source) {
    if (num_chars_++ == 0) first_ = source;
    last_ = source;
    if (num_chars_ > kMaxChars) return;
    const std::size_t length = base::encode_utf8(code_point, bytes_.data() + num_bytes_);
    for (const std::size_t stop = num_bytes_ + length; num_bytes_ < stop; ++num_bytes_) {
      begins_[num_bytes_] = source.begin;
      ends_[num_bytes_] = source.end;
    }
  }

 private:
  // Left uninitialised: a buffer is made for every text, and most need none of it.
  std::array<char, kMaxChars * 4> bytes_;
  std::array<std::size_t, kMaxChars * 4> begins_;  // per byte of bytes_
  std::array<std::size_t, kMaxChars * 4> ends_;
  std::size_t num_chars_ = 0;
  std::size_t num_bytes_ = 0;
  Span first_;
  Span last_;
};

}  // namespace diffie::text
