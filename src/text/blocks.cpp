#include "text/blocks.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/break_rules.h"

namespace diffie::text {
namespace {

struct Line {
  Span bytes;            // without white space at both ends; begin == end when blank
  std::size_t next = 0;  // where the next line begins
  bool ends_paragraph = false;

  bool blank() const { return bytes.begin == bytes.end; }
  std::size_t width() const { return bytes.end - bytes.begin; }
};

bool is_line_break(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

Line read_line(std::string_view document, std::size_t begin) {
  Line line{{begin, begin}, begin};
  while (line.next < document.size()) {
    const base::Decoded decoded = base::decode_utf8(document, line.next);
    const std::size_t after = line.next + decoded.length;
    if (is_line_break(decoded.code_point)) {
      const bool crlf = decoded.code_point == '\r' && document.substr(after).starts_with('\n');
      line.next = crlf ? after + 1 : after;
      line.ends_paragraph = decoded.code_point == 0x2029;
      return line;
    }
    if (!base::is_unicode_space(decoded.code_point)) {
      if (line.blank()) line.bytes.begin = line.next;
      line.bytes.end = after;
    } else if (line.blank()) {
      line.bytes = {after, after};
    }
    line.next = after;
  }
  return line;
}

// A rule under a heading or between sections: three or more of the same mark.
bool is_rule(std::string_view line) {
  constexpr std::string_view kMarks = "=-~*_#";
  return line.size() >= 3 && kMarks.find(line[0]) != std::string_view::npos &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

bool is_hash_heading(std::string_view line) {
  const std::size_t hashes = line.find_first_not_of('#');
  return hashes != std::string_view::npos && hashes >= 1 && hashes <= 6 && line[hashes] == ' ';
}

bool ends_with_stop(std::string_view line) {
  const auto last = line.find_last_not_of("\"')]");
  return last != std::string_view::npos && std::string_view(".!?:;").find(line[last]) != line.npos;
}

bool is_all_capitals(std::string_view line) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return std::none_of(line.begin(), line.end(), is_lower) &&
         std::count_if(line.begin(), line.end(), is_upper) >= 2;
}

// Words at which no heading ends.
bool ends_open(std::string_view line) {
  constexpr std::array<std::string_view, 22> kWords = {
      "a",  "an", "and", "are", "as", "at",   "by",  "for", "from", "in",   "is",
      "of", "on", "or",  "our", "so", "that", "the", "to",  "was",  "were", "with"};
  const std::string_view word = line.substr(line.find_last_of(" \t") + 1);
  return line.ends_with(',') || line.ends_with('-') ||
         std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// In text wrapped at a width, a line ends because the next word did not fit. A line that ends long
// before that, with a capital or a number after it, is a heading or a list item.
bool ends_early(std::string_view line, std::string_view next, std::size_t width) {
  constexpr std::size_t kMaxWords = 12;
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (ends_with_stop(line) && !line.ends_with(':')) return false;
  if (is_small(next.front()) || ends_open(line)) return false;
  if (is_all_capitals(line) && !is_all_capitals(next)) return true;
  const std::size_t word_size = std::min(next.find(' '), next.size());
  const auto num_words = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
  return num_words <= kMaxWords && (line.size() + 1 + word_size) * 5 <= width * 3;
}

class BlockReader {
 public:
  BlockReader(std::string_view document, const std::function<void(Span)>& visit)
      : document_(document), visit_(visit) {}

  void run() {
    for (std::size_t pos = 0; pos < document_.size();) {
      const Line line = read_line(document_, pos);
      pos = line.next;
      if (!line.blank()) {
        if (width_ == 0) width_ = paragraph_width(line);
        add(line);
      }
      if (line.blank() || line.ends_paragraph) {
        close();
        width_ = 0;
      }
    }
    close();
  }

 private:
  std::string_view text(Span bytes) const {
    return document_.substr(bytes.begin, bytes.end - bytes.begin);
  }

  // The widest of the paragraph's first lines.
  std::size_t paragraph_width(Line line) const {
    constexpr int kLines = 64;
    std::size_t width = 0;
    for (int i = 0; i < kLines && !line.blank(); ++i) {
      width = std::max(width, line.width());
      if (line.ends_paragraph || line.next >= document_.size()) break;
      line = read_line(document_, line.next);
    }
    return width;
  }

  void add(const Line& line) {
    const std::string_view content = text(line.bytes);
    if (is_rule(content) || is_hash_heading(content)) {
      close();
      visit_(line.bytes);
      return;
    }
    const bool marked = is_list_item(content);
    if (open_ && (marked || starts_block(content))) close();
    if (!open_) {
      block_ = line.bytes;
      in_list_ = marked;
      open_ = true;
      num_lines_ = 0;
    }
    block_.end = line.bytes.end;
    last_line_ = line.bytes;
    ++num_lines_;
  }

  // A dash or a number may also come to the front of a line by wrapping; it is a marker only where
  // the line before is complete.
  bool is_list_item(std::string_view content) const {
    const std::string_view marker = list_marker(content);
    if (marker.empty() || marker.size() == content.size()) return false;
    if (!open_ || in_list_ || marker == "\u2022") return true;
    const std::string_view before = text(last_line_);
    return ends_with_stop(before) || (num_lines_ == 1 && ends_early(before, content, width_));
  }

  bool starts_block(std::string_view content) const {
    return num_lines_ == 1 && ends_early(text(last_line_), content, width_);
  }

  void close() {
    if (open_) visit_(block_);
    open_ = false;
    in_list_ = false;
  }

  std::string_view document_;
  const std::function<void(Span)>& visit_;
  std::size_t width_ = 0;  // 0: between paragraphs
  bool open_ = false;
  bool in_list_ = false;
  int num_lines_ = 0;
  Span block_;
  Span last_line_;
};

}  // namespace

void for_each_block(std::string_view document, const std::function<void(Span)>& visit) {
  BlockReader(document, visit).run();
}

}  // namespace diffie::text
