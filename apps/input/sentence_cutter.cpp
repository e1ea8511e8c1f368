#include "sentence_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace diffie::cli {
namespace {

// A paragraph longer than this is cut at its last sentence end, a line is cut hard.
constexpr std::size_t kMaxParagraphBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// One past the last blank line in `text`, 0 if there is none. Sentences never span a blank line.
std::size_t end_of_last_paragraph(std::string_view text) {
  std::size_t line_end = text.rfind('\n');
  while (line_end != std::string_view::npos && line_end > 0) {
    const std::size_t before = text.rfind('\n', line_end - 1);
    const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
    const bool blank = text.find_first_not_of(" \t\r", line_begin) >= line_end;
    if (blank) return line_end + 1;
    line_end = before;
  }
  return 0;
}

// `size`, or a little less where that is inside a character.
std::size_t whole_characters(std::string_view text, std::size_t size) {
  std::size_t start = size;
  while (size - start < 3 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  return start + base::decode_utf8(text, start).length > size ? start : size;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) {
    pos += base::decode_utf8(text, pos).length;
  }
  return count;
}

}  // namespace

void SentenceCutter::begin(const DocumentId& document, Shard* line_shard,
                           std::deque<InputStep>& steps) {
  line_shard_ = line_shard;
  place_ = document.place;
  buffer_.clear();
  gap_.clear();
  position_ = buffer_begin_ = num_characters_ = num_sentences_ = num_bad_ = 0;
  steps.push_back({InputStep::Kind::kBegin, document.id, {}, {}});
}

void SentenceCutter::end(std::deque<InputStep>& steps) {
  cut(true, steps);
  steps.push_back({InputStep::Kind::kEnd, std::exchange(gap_, {}), {}, {}});
  if (num_bad_ == 0) return;
  const char* unit = mode_ == InputMode::kLines ? "line" : "sentence";
  diagnostics_.bad_input(fmt::format("{}: invalid UTF-8 in {} {}{}, first at {}; read as U+FFFD",
                                     place_, num_bad_, unit, num_bad_ == 1 ? "" : "s", first_bad_));
}

void SentenceCutter::cut(bool at_end, std::deque<InputStep>& steps) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (buffer_begin_ == 0) {
    if (buffer_.starts_with(kByteOrderMark)) {
      skip_to(kByteOrderMark.size());
    } else if (!at_end && kByteOrderMark.starts_with(buffer_)) {
      return;
    }
  }
  const std::size_t done =
      mode_ == InputMode::kLines ? take_lines(at_end, steps) : take_text(at_end, steps);
  skip_to(done);
  buffer_.erase(0, std::exchange(position_, 0));
  buffer_begin_ += done;
}

std::size_t SentenceCutter::take_lines(bool at_end, std::deque<InputStep>& steps) {
  std::size_t begin = position_;
  while (begin < buffer_.size()) {
    const std::size_t longest = begin + kMaxLineBytes;
    std::size_t end = buffer_.find('\n', begin);
    if (end == std::string::npos && buffer_.size() <= longest && !at_end) break;
    std::size_t next = std::min(end, buffer_.size() - 1) + 1;
    end = std::min(end, buffer_.size());
    if (end > longest) {
      end = next = whole_characters(buffer_, longest);
    } else if (next > end && end > begin && buffer_[end - 1] == '\r') {
      --end;
    }
    if (line_shard_ == nullptr || line_shard_->takes_next()) {
      emit({begin, end}, steps);
    } else {
      ++num_sentences_;
    }
    begin = next;
  }
  return begin;
}

std::size_t SentenceCutter::take_text(bool at_end, std::deque<InputStep>& steps) {
  std::size_t done = position_;
  while (done < buffer_.size()) {
    const std::string_view next = std::string_view(buffer_).substr(done, kMaxParagraphBytes);
    std::size_t size = end_of_last_paragraph(next);
    if (size > 0) {
      take_sentences(done + size, steps);
    } else if (buffer_.size() - done > kMaxParagraphBytes) {
      size = take_long_paragraph(steps);
    } else if (at_end) {
      size = next.size();
      take_sentences(done + size, steps);
    } else {
      break;
    }
    done += size;
    skip_to(done);
  }
  return done;
}

void SentenceCutter::take_sentences(std::size_t end, std::deque<InputStep>& steps) {
  const std::size_t begin = position_;
  for (const Span& sentence : split_sentences(std::string_view(buffer_).substr(begin, end - begin)))
    emit({begin + sentence.begin, begin + sentence.end}, steps);
}

// All but the last sentence of its beginning, which may go on behind it.
std::size_t SentenceCutter::take_long_paragraph(std::deque<InputStep>& steps) {
  const std::size_t begin = position_;
  const std::string_view text = std::string_view(buffer_).substr(begin);
  std::size_t size = whole_characters(text, kMaxParagraphBytes);
  std::vector<Span> sentences = split_sentences(text.substr(0, size));
  if (!sentences.empty() && sentences.back().begin > 0) {
    size = sentences.back().begin;
    sentences.pop_back();
  }
  for (const Span& sentence : sentences)
    emit({begin + sentence.begin, begin + sentence.end}, steps);
  return size;
}

void SentenceCutter::emit(Span in_buffer, std::deque<InputStep>& steps) {
  skip_to(in_buffer.begin);
  InputStep step;
  step.text = buffer_.substr(in_buffer.begin, in_buffer.end - in_buffer.begin);
  step.bytes = {buffer_begin_ + in_buffer.begin, buffer_begin_ + in_buffer.end};
  step.character = num_characters_ + count_characters(gap_);
  step.gap = std::exchange(gap_, {});
  step.index = num_sentences_++;
  num_characters_ = step.character + count_characters(step.text);
  position_ = in_buffer.end;
  if (const auto bad = base::find_invalid_utf8(step.text)) {
    if (num_bad_++ == 0) {
      first_bad_ = mode_ == InputMode::kLines
                       ? fmt::format("line {}, byte {}", num_sentences_, *bad)
                       : fmt::format("byte {}", step.bytes.begin + *bad);
    }
  }
  steps.push_back(std::move(step));
}

void SentenceCutter::skip_to(std::size_t end) {
  gap_.append(buffer_, position_, end - position_);
  position_ = end;
}

}  // namespace diffie::cli
