#include "input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/utf8.h"
#include "diffie/text.h"

namespace diffie::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
// A paragraph longer than this is cut at its last sentence end, a line is cut hard.
constexpr std::size_t kMaxParagraphBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

std::optional<std::uint64_t> total_size(const std::vector<std::string>& files) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
    total += std::filesystem::file_size(file, error);
    if (error) return std::nullopt;
  }
  return total;
}

// One past the last blank line in `text`, 0 if there is none. Sentences never span a blank line.
std::size_t end_of_last_paragraph(const std::string& text) {
  std::size_t line_end = text.rfind('\n');
  while (line_end != std::string::npos && line_end > 0) {
    const std::size_t before = text.rfind('\n', line_end - 1);
    const std::size_t line_begin = before == std::string::npos ? 0 : before + 1;
    const bool blank = text.find_first_not_of(" \t\r", line_begin) >= line_end;
    if (blank) return line_end + 1;
    line_end = before;
  }
  return 0;
}

}  // namespace

InputReader::InputReader(std::vector<std::string> files, InputMode mode, Diagnostics& diagnostics)
    : files_(std::move(files)), mode_(mode), diagnostics_(diagnostics) {
  if (files_.empty()) files_.push_back("-");
  bytes_total_ = total_size(files_);
}

InputReader::~InputReader() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::vector<InputSentence> InputReader::next(std::size_t max) {
  while (ready_.size() < max && (ready_.empty() || data_is_waiting()) && take_sentences()) {
  }
  const auto last = ready_.begin() + static_cast<std::ptrdiff_t>(std::min(max, ready_.size()));
  std::vector<InputSentence> batch(std::make_move_iterator(ready_.begin()),
                                   std::make_move_iterator(last));
  ready_.erase(ready_.begin(), last);
  return batch;
}

bool InputReader::data_is_waiting() const {
  if (descriptor_ < 0) return true;  // the next file
  pollfd request{descriptor_, POLLIN, 0};
  return ::poll(&request, 1, 0) != 0;
}

// Reads one block and takes what is complete; false at the end of all input.
bool InputReader::take_sentences() {
  if (descriptor_ < 0 && !open_next_file()) return next_file_ < files_.size();
  fill();
  if (mode_ == InputMode::kLines) {
    take_lines();
  } else {
    take_documents();
  }
  if (at_end_) close_file();
  return true;
}

bool InputReader::open_next_file() {
  if (next_file_ == files_.size()) return false;
  name_ = files_[next_file_++];
  buffer_.clear();
  buffer_begin_ = 0;
  at_end_ = false;
  line_ = 0;
  bad_sentences_ = 0;
  if (name_ == "-") {
    descriptor_ = STDIN_FILENO;
    return true;
  }
  std::error_code error;
  if (std::filesystem::is_directory(name_, error)) {
    diagnostics_.bad_input(fmt::format("{}: is a directory, not a text file", name_));
    return false;
  }
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    diagnostics_.bad_input(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    return false;
  }
  return true;
}

void InputReader::close_file() {
  if (bad_sentences_ > 0) {
    const char* unit = mode_ == InputMode::kLines ? "line" : "sentence";
    diagnostics_.bad_input(fmt::format("{}: invalid UTF-8 in {} {}{}, first at {}; read as U+FFFD",
                                       name_, bad_sentences_, unit, bad_sentences_ == 1 ? "" : "s",
                                       first_bad_));
  }
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  descriptor_ = -1;
}

void InputReader::fill() {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kBlockBytes);
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer_.data() + before, kBlockBytes);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    diagnostics_.bad_input(fmt::format("{}: reading failed: {}", name_, std::strerror(errno)));
    got = 0;
  }
  buffer_.resize(before + static_cast<std::size_t>(got));
  bytes_read_ += static_cast<std::uint64_t>(got);
  at_end_ = got == 0;
  if (buffer_begin_ == 0 && before == 0 && buffer_.starts_with("\xEF\xBB\xBF"))
    drop_front(3);  // BOM
}

void InputReader::take_lines() {
  std::size_t begin = 0;
  while (true) {
    std::size_t end = buffer_.find('\n', begin);
    if (end == std::string::npos) {
      const bool complete = at_end_ || buffer_.size() - begin > kMaxLineBytes;
      if (complete && begin < buffer_.size()) {
        emit({begin, buffer_.size()});
        begin = buffer_.size();
      }
      break;
    }
    const bool carriage_return = end > begin && buffer_[end - 1] == '\r';
    emit({begin, carriage_return ? end - 1 : end});
    begin = end + 1;
  }
  drop_front(begin);
}

void InputReader::take_documents() {
  std::size_t complete = at_end_ ? buffer_.size() : end_of_last_paragraph(buffer_);
  const bool cut_paragraph = complete == 0 && buffer_.size() > kMaxParagraphBytes;
  if (complete == 0 && !cut_paragraph) return;
  std::vector<Span> sentences = split_sentences(
      std::string_view(buffer_).substr(0, cut_paragraph ? buffer_.size() : complete));
  if (cut_paragraph) {  // the last sentence may go on in the next block
    complete = sentences.empty() ? buffer_.size() : sentences.back().end;
    if (sentences.size() > 1) {
      sentences.pop_back();
      complete = sentences.back().end;
    }
  }
  for (const Span& sentence : sentences) emit(sentence);
  drop_front(complete);
}

void InputReader::emit(Span in_buffer) {
  ++line_;
  InputSentence sentence;
  sentence.text = buffer_.substr(in_buffer.begin, in_buffer.end - in_buffer.begin);
  sentence.file = name_;
  sentence.bytes = {buffer_begin_ + in_buffer.begin, buffer_begin_ + in_buffer.end};
  if (const auto bad = base::find_invalid_utf8(sentence.text)) {
    if (bad_sentences_++ == 0) {
      first_bad_ = mode_ == InputMode::kLines ? fmt::format("line {}, byte {}", line_, *bad)
                                              : fmt::format("byte {}", sentence.bytes.begin + *bad);
    }
  }
  ready_.push_back(std::move(sentence));
}

void InputReader::drop_front(std::size_t bytes) {
  buffer_.erase(0, bytes);
  buffer_begin_ += bytes;
}

}  // namespace diffie::cli
