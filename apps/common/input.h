// Sentences out of files, in order, with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "diffie/text.h"

namespace diffie::cli {

enum class InputMode {
  kDocuments,  // running text, cut into sentences
  kLines,  // one sentence per line, empty lines too: line i of the output is line i of the input
};

struct InputSentence {
  std::string text;
  std::string file;  // as named on the command line, "-" for standard input
  Span bytes;        // in that file
};

class InputReader {
 public:
  // No files: standard input. Files that cannot be read and invalid UTF-8 are reported and passed
  // over or read with U+FFFD; the rest of the input is not affected.
  InputReader(std::vector<std::string> files, InputMode mode, Diagnostics& diagnostics);
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;

  // The next sentences, at most `max`; none: the end of all input. Does not wait for more than one
  // sentence, so a pipe or a terminal is answered as it is written.
  std::vector<InputSentence> next(std::size_t max);

  std::uint64_t bytes_read() const { return bytes_read_; }
  // Sum of the files' sizes; none where one of them is no plain file.
  std::optional<std::uint64_t> bytes_total() const { return bytes_total_; }

 private:
  bool open_next_file();
  void close_file();
  bool data_is_waiting() const;
  void fill();  // what is there, one block at most, into buffer_; sets at_end_
  bool take_sentences();
  void take_lines();
  void take_documents();
  void emit(Span in_buffer);
  void drop_front(std::size_t bytes);

  std::vector<std::string> files_;
  InputMode mode_;
  Diagnostics& diagnostics_;
  std::size_t next_file_ = 0;
  int descriptor_ = -1;
  std::string name_;
  std::string buffer_;              // not yet handed out
  std::uint64_t buffer_begin_ = 0;  // where buffer_ starts in the file
  bool at_end_ = false;
  std::size_t line_ = 0;  // lines emitted of this file
  std::size_t bad_sentences_ = 0;
  std::string first_bad_;  // where
  std::deque<InputSentence> ready_;
  std::uint64_t bytes_read_ = 0;
  std::optional<std::uint64_t> bytes_total_;
};

}  // namespace diffie::cli
