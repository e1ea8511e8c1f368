#include "sentence_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace diffie::cli {
namespace {

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

// All of it, or a little less where its end may be inside a character.
std::size_t complete_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) {
    pos += base::decode_utf8(text, pos).length;
  }
  return count;
}

void SentenceCutter::begin(const DocumentId& document, Shard* line_shard,
                           std::deque<InputStep>& steps) {
  line_shard_ = line_shard;
  place_ = document.place;
  buffer_.clear();
  gap_.clear();
  position_ = buffer_begin_ = num_characters_ = num_sentences_ = num_bad_ = 0;
  long_line_.reset();
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
      skip_to(kByteOrderMark.size(), steps);
    } else if (!at_end && kByteOrderMark.starts_with(buffer_)) {
      return;
    }
  }
  const std::size_t done =
      mode_ == InputMode::kLines ? take_lines(at_end, steps) : take_text(at_end, steps);
  skip_to(done, steps);
  buffer_.erase(0, std::exchange(position_, 0));
  buffer_begin_ += done;
}

std::size_t SentenceCutter::take_lines(bool at_end, std::deque<InputStep>& steps) {
  std::size_t begin = position_;
  while (begin < buffer_.size()) {
    const std::size_t found = buffer_.find('\n', begin);
    const bool ended = found != std::string::npos || at_end;
    const std::size_t end = std::min(found, buffer_.size());
    if (long_line_ || end - begin > kMaxLineBytes) {
      begin = pass_over({begin, end}, ended, steps);
    } else if (ended) {
      take_line({begin, end}, steps);
    }
    if (!ended) return begin;
    begin = std::min(end + 1, buffer_.size());
  }
  if (at_end) end_long_line(steps);
  return begin;
}

void SentenceCutter::take_line(Span in_buffer, std::deque<InputStep>& steps) {
  if (line_shard_ != nullptr && !line_shard_->takes_next()) {
    ++num_sentences_;
    return;
  }
  const bool is_last = in_buffer.end == buffer_.size();  // then a carriage return is text
  const bool empty = in_buffer.end == in_buffer.begin;
  if (!is_last && !empty && buffer_[in_buffer.end - 1] == '\r') --in_buffer.end;
  emit(in_buffer, steps);
}

// Of a line that is too long only the beginning is kept, until its end is known. Returns where what
// was passed over ends.
std::size_t SentenceCutter::pass_over(Span in_buffer, bool ended, std::deque<InputStep>& steps) {
  const std::string_view text = buffer_;
  if (!long_line_) {
    long_line_.emplace();
    if (line_shard_ == nullptr || line_shard_->takes_next()) {
      const std::string_view line = text.substr(in_buffer.begin, in_buffer.end - in_buffer.begin);
      const Span shown{in_buffer.begin, in_buffer.begin + whole_characters(line, kShownLineBytes)};
      *long_line_ = make_step(shown, steps);
      long_line_->error = fmt::format("a line of more than {} bytes", kMaxLineBytes);
    } else {
      skip_to(in_buffer.begin, steps);
      ++num_sentences_;
    }
    in_buffer.begin = position_;
  }
  const std::string_view rest = text.substr(in_buffer.begin, in_buffer.end - in_buffer.begin);
  const std::size_t size = ended ? rest.size() : complete_characters(rest);
  num_characters_ += count_characters(rest.substr(0, size));
  position_ = in_buffer.begin + size;
  long_line_->bytes.end = buffer_begin_ + position_;
  if (ended) end_long_line(steps);
  return position_;
}

void SentenceCutter::end_long_line(std::deque<InputStep>& steps) {
  if (long_line_ && !long_line_->error.empty()) steps.push_back(std::move(*long_line_));
  long_line_.reset();
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
    skip_to(done, steps);
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
  steps.push_back(make_step(in_buffer, steps));
}

InputStep SentenceCutter::make_step(Span in_buffer, std::deque<InputStep>& steps) {
  skip_to(in_buffer.begin, steps);
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
  return step;
}

void SentenceCutter::skip_to(std::size_t end, std::deque<InputStep>& steps) {
  gap_.append(buffer_, position_, end - position_);
  position_ = end;
  std::size_t done = 0;
  while (gap_.size() - done > kMaxGapBytes) {
    const std::string_view rest = std::string_view(gap_).substr(done);
    const std::string_view piece = rest.substr(0, whole_characters(rest, kMaxGapBytes));
    InputStep& step = steps.emplace_back();
    step.kind = InputStep::Kind::kText;
    step.text = piece;
    step.character = num_characters_;
    num_characters_ += count_characters(piece);
    done += piece.size();
  }
  gap_.erase(0, done);
}

}  // namespace diffie::cli
