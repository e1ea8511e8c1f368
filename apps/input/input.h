// Documents out of files, in order, with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "document_source.h"
#include "input_files.h"
#include "sentence_cutter.h"

namespace diffie::cli {

// Opens a Parquet or Arrow file.
using OpenTable = std::function<std::unique_ptr<DocumentSource>(
    const std::string& path, InputKind kind, const RowReading& reading)>;

struct InputOptions {
  std::vector<std::string> files;  // "-": standard input
  InputMode mode = InputMode::kDocuments;
  std::optional<InputKind> kind = InputKind::kText;  // none: by the file's name
  RowFields fields = {};
  Shard shard = {};
  OpenTable open_table = {};  // none: tables are not read
};

class InputReader {
 public:
  // Files and rows that cannot be read and invalid UTF-8 are reported and passed over or read with
  // U+FFFD; the rest of the input is not affected.
  InputReader(InputOptions options, Diagnostics& diagnostics);

  // The next steps, with `max` sentences and texts between them at most, and fewer where they are
  // long: together they are no longer than as many of 256 bytes, or one. None: the end of all
  // input. Waits for no more than one step, so a pipe or a terminal is answered as it is written.
  std::vector<InputStep> next(std::size_t max) { return take(max, true); }
  // The same without waiting; none: there are none yet, or none any more.
  std::vector<InputStep> next_if_ready(std::size_t max) { return take(max, false); }

  // Of the files; `text_bytes` of their text are done with: gaps, sentences, what is behind them.
  std::uint64_t bytes_done(std::uint64_t text_bytes) const;
  // Sum of the files' sizes; none where one of them is no plain file.
  std::optional<std::uint64_t> bytes_total() const { return bytes_total_; }

 private:
  std::vector<InputStep> take(std::size_t max, bool wait);
  bool advance_and_count();
  std::uint64_t bytes_read() const;
  bool source_is_ready() const;
  bool advance();  // one piece of the input; false at its end
  void open_next_file();
  void read_on();
  void close_file();

  InputOptions options_;
  Diagnostics& diagnostics_;
  SentenceCutter cutter_;
  std::size_t next_file_ = 0;
  std::unique_ptr<DocumentSource> source_;  // of the file that is being read
  Shard* line_shard_ = nullptr;             // set where its lines are counted
  bool in_document_ = false;
  bool told_to_type_ = false;
  std::deque<InputStep> steps_;
  std::size_t num_texts_ = 0;          // among steps_: sentences, and text between them
  std::size_t waiting_bytes_ = 0;      // of these
  std::uint64_t text_bytes_ = 0;       // that the sources have given
  std::uint64_t bytes_of_closed_ = 0;  // files
  std::optional<std::uint64_t> bytes_total_;
};

// All sentences of a text file; for those who want them at once.
std::vector<std::string> read_all_sentences(const std::string& file, InputMode mode,
                                            Diagnostics& diagnostics);

}  // namespace diffie::cli
