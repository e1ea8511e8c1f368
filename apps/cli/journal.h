// What a run has extracted so far, kept beside its output, so that a run that was cut off can be
// taken up again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diffie/extractor.h"

namespace diffie::cli {

// A header, then a record for each batch of sentences, each with its size and checksum. Records are
// only ever appended: a kill leaves whole records and perhaps a torn one, which is cut off when the
// journal is opened again.
class Journal {
 public:
  // Opens what is there; where there is none it is made by append(), so that a run which is refused
  // leaves none. `run` says, a line each, what the results depend on. Throws kInvalidArgument where
  // the journal is of a run with another such line or where another process is writing it,
  // kNotFound where it cannot be written.
  Journal(std::filesystem::path path, std::string run);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  bool resumed() const { return resumed_; }  // there was one

  // The result of the next sentence of the input, while the journal has it. Throws kBadInput where
  // that was another sentence.
  std::optional<SentenceResult> replay(std::string_view sentence);

  // Further results; only after replay() has answered nothing.
  void append(std::span<const std::string_view> sentences, std::span<const SentenceResult> results);

  void remove();

 private:
  void open(int flags);
  void lock();
  void begin();
  std::size_t read_fully(char* to, std::size_t size);
  bool read_magic();
  std::uint64_t bytes_left() const;
  bool read_record();  // the next whole one into record_
  void cut_off(std::uint64_t size);
  void write_record(std::string_view payload);
  void write(std::string_view bytes);
  void check_header() const;
  [[noreturn]] void fail(const char* doing) const;
  [[noreturn]] void refuse(const char* why) const;

  std::filesystem::path path_;
  std::string run_;
  int descriptor_ = -1;  // none: not made yet
  bool resumed_ = false;
  bool begun_ = false;  // it has its header
  bool replaying_ = false;
  std::uint64_t end_ = 0;  // of the whole records read so far
  std::string record_;
  std::size_t position_ = 0;  // in record_, of the next sentence
  std::uint64_t num_replayed_ = 0;
};

}  // namespace diffie::cli
