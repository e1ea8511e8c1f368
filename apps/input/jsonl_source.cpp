#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "byte_source.h"
#include "diffie/error.h"
#include "document_source.h"
#include "json_row.h"

namespace diffie::cli {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

class JsonlSource : public DocumentSource {
 public:
  JsonlSource(const std::string& path, const RowReading& reading)
      : path_(path), reading_(reading), bytes_(open_bytes(path)) {}

  bool next_document(DocumentId& document) override {
    while (next_line()) {
      const std::string_view line = std::string_view(buffer_).substr(begin_, end_ - begin_);
      const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
      if (blank && !too_long_) continue;
      if (!reading_.shard.takes_next()) continue;
      const std::string place = fmt::format("{}:{}", path_, line_number_);
      try {
        if (too_long_) throw Error(ErrorCode::kBadInput, "line is longer than 64 MiB");
        JsonRow row = read_json_row(line, reading_.fields);
        if (!row.replaced.empty()) {
          reading_.diagnostics.bad_input(
              fmt::format("{}: {}, read as U+FFFD", place, row.replaced));
        }
        document = {reading_.fields.id.empty() ? place : std::move(row.id), place};
        text_.set(std::move(row.text));
        return true;
      } catch (const Error& error) {
        reading_.diagnostics.bad_input(fmt::format("{}: {}", place, error.what()));
      }
    }
    return false;
  }

  bool append_text(std::string& to) override { return text_.append_to(to); }
  bool ready() const override {
    return buffer_.find('\n', next_) != std::string::npos || bytes_->ready();
  }
  std::uint64_t bytes_read() const override { return bytes_->bytes_read(); }

 private:
  // Puts the next line at [begin_, end_) of buffer_; of one that is too long, a part.
  bool next_line() {
    begin_ = next_;
    too_long_ = false;
    std::size_t searched = begin_;
    while ((end_ = buffer_.find('\n', searched)) == std::string::npos) {
      buffer_.erase(0, std::exchange(begin_, 0));
      if (buffer_.size() > kMaxLineBytes) {
        too_long_ = true;
        buffer_.resize(1);
      }
      searched = buffer_.size();
      if (append_block(*bytes_, buffer_) == 0) break;
    }
    end_ = std::min(end_, buffer_.size());
    next_ = std::min(end_ + 1, buffer_.size());
    if (begin_ == buffer_.size()) return false;
    if (line_number_++ == 0 && buffer_.starts_with("\xEF\xBB\xBF")) begin_ = 3;
    return true;
  }

  std::string path_;
  RowReading reading_;
  std::unique_ptr<ByteSource> bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t next_ = 0;  // where the line behind this one begins
  std::size_t line_number_ = 0;
  bool too_long_ = false;
  TextPieces text_;
};

}  // namespace

std::unique_ptr<DocumentSource> open_jsonl(const std::string& path, const RowReading& reading) {
  return std::make_unique<JsonlSource>(path, reading);
}

}  // namespace diffie::cli
