#include "input.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "diffie/error.h"

namespace diffie::cli {
namespace {

constexpr std::size_t kUsualSentenceBytes = 256;

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

bool has_text(const InputStep& step) {
  return step.kind == InputStep::Kind::kSentence || step.kind == InputStep::Kind::kText;
}

}  // namespace

InputReader::InputReader(InputOptions options, Diagnostics& diagnostics)
    : options_(std::move(options)),
      diagnostics_(diagnostics),
      cutter_(options_.mode, diagnostics),
      bytes_total_(total_size(options_.files)) {}

std::vector<InputStep> InputReader::take(std::size_t max, bool wait) {
  const std::size_t max_steps = 8 * max;  // there are documents without sentences
  const std::size_t max_bytes = kUsualSentenceBytes * max;
  while (num_texts_ < max && waiting_bytes_ < max_bytes && steps_.size() < max_steps &&
         ((wait && steps_.empty()) || source_is_ready())) {
    if (!advance_and_count()) break;
  }
  std::vector<InputStep> batch;
  std::size_t taken = 0;
  std::size_t bytes = 0;
  while (!steps_.empty() && batch.size() < max_steps) {
    const InputStep& next = steps_.front();
    if (has_text(next)) {
      if (taken == max || (taken > 0 && bytes + next.text.size() > max_bytes)) break;
      ++taken;
      bytes += next.text.size();
    }
    batch.push_back(std::move(steps_.front()));
    steps_.pop_front();
  }
  num_texts_ -= taken;
  waiting_bytes_ -= bytes;
  return batch;
}

bool InputReader::advance_and_count() {
  const std::size_t before = steps_.size();
  if (!advance()) return false;
  for (std::size_t i = before; i < steps_.size(); ++i) {
    if (!has_text(steps_[i])) continue;
    ++num_texts_;
    waiting_bytes_ += steps_[i].text.size();
  }
  return true;
}

bool InputReader::source_is_ready() const {
  if (source_) return source_->ready();
  if (next_file_ == options_.files.size() || options_.files[next_file_] != "-") return true;
  pollfd request{STDIN_FILENO, POLLIN, 0};
  return ::poll(&request, 1, 0) != 0;
}

std::uint64_t InputReader::bytes_done(std::uint64_t text_bytes) const {
  if (text_bytes_ == 0) return 0;
  // What was read and what came of it differ where files are packed or rows have other fields.
  const double share = static_cast<double>(text_bytes) / static_cast<double>(text_bytes_);
  return static_cast<std::uint64_t>(share * static_cast<double>(bytes_read()));
}

std::uint64_t InputReader::bytes_read() const {
  return bytes_of_closed_ + (source_ ? source_->bytes_read() : 0);
}

bool InputReader::advance() {
  if (!source_ && next_file_ == options_.files.size()) return false;
  try {
    if (source_) {
      read_on();
    } else {
      open_next_file();
    }
  } catch (const Error& error) {
    diagnostics_.bad_input(error.what());
    if (source_) close_file();
  }
  return true;
}

void InputReader::open_next_file() {
  const std::string path = options_.files[next_file_++];
  const InputKind kind = options_.kind.value_or(kind_of_name(path).value_or(InputKind::kText));
  if (!options_.kind && is_packed_table(path)) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: tables are not packed", path));
  }
  line_shard_ = nullptr;
  if (path == "-" && ::isatty(STDIN_FILENO) == 1 && !std::exchange(told_to_type_, true)) {
    const bool by_paragraph = kind == InputKind::kText && options_.mode == InputMode::kDocuments;
    tell(fmt::format("reading what is typed here; Ctrl-D at the start of a line ends it{}",
                     by_paragraph ? ", a blank line ends a paragraph, which is then read" : ""));
  }
  const RowReading reading{options_.fields, options_.shard, diagnostics_};
  switch (kind) {
    case InputKind::kText:
      if (options_.mode == InputMode::kLines) {
        line_shard_ = &options_.shard;
      } else if (!options_.shard.takes_next()) {
        return;
      }
      source_ = open_text(path);
      return;
    case InputKind::kJsonl:
      source_ = open_jsonl(path, reading);
      return;
    case InputKind::kParquet:
    case InputKind::kArrow:
      if (!options_.open_table) {
        throw Error(ErrorCode::kBadInput, fmt::format("{}: tables are not read here", path));
      }
      source_ = options_.open_table(path, kind, reading);
      return;
  }
}

void InputReader::read_on() {
  if (in_document_) {
    const std::size_t before = cutter_.buffer().size();
    const bool more = source_->append_text(cutter_.buffer());
    text_bytes_ += cutter_.buffer().size() - before;
    if (more) {
      cutter_.cut(steps_);
    } else {
      cutter_.end(steps_);
      in_document_ = false;
    }
    return;
  }
  DocumentId document;
  if (source_->next_document(document)) {
    cutter_.begin(document, line_shard_, steps_);
    in_document_ = true;
  } else {
    close_file();
  }
}

void InputReader::close_file() {
  if (in_document_) cutter_.end(steps_);
  in_document_ = false;
  bytes_of_closed_ += source_->bytes_read();
  source_.reset();
}

std::vector<std::string> read_all_sentences(const std::string& file, InputMode mode,
                                            Diagnostics& diagnostics) {
  InputOptions options;
  options.files = {file};
  options.mode = mode;
  InputReader reader(std::move(options), diagnostics);
  std::vector<std::string> sentences;
  while (true) {
    std::vector<InputStep> steps = reader.next(256);
    if (steps.empty()) return sentences;
    for (InputStep& step : steps) {
      if (step.kind != InputStep::Kind::kSentence) continue;
      if (!step.error.empty()) {
        diagnostics.bad_input(fmt::format("{}: line {}: {}", file, step.index + 1, step.error));
      }
      sentences.push_back(std::move(step.text));
    }
  }
}

}  // namespace diffie::cli
