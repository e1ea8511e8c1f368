// Sentences out of a document's text, which comes in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "diagnostics.h"
#include "diffie/text.h"
#include "document_source.h"
#include "shard.h"

namespace diffie::cli {

enum class InputMode {
  kDocuments,  // running text, cut into sentences
  kLines,  // one sentence per line, empty lines too: line i of the output is line i of the input
};

// The input is a row of these: a document begins, its sentences follow, it ends. Between them is
// text where a gap is too long to be held.
struct InputStep {
  enum class Kind { kBegin, kText, kSentence, kEnd };
  Kind kind = Kind::kSentence;
  std::string text;  // the document's id; a piece of its text that is of no sentence; the sentence;
                     // the document's text behind the last one

  // Of sentences.
  std::string gap;            // the document's text between the step before and this one
  Span bytes;                 // of the document's text
  std::size_t character = 0;  // where it begins there, in code points; ill-formed UTF-8 counts as
                              // the U+FFFD that is read for it; of kText too
  std::size_t index = 0;      // in the document, from 0
  std::string error = {};     // why nothing is to be found in it: `text` is its beginning alone

  // Of the document's text, from the step before to the end of this one.
  std::size_t text_bytes() const {
    if (kind == Kind::kBegin) return 0;
    return kind == Kind::kSentence ? gap.size() + bytes.end - bytes.begin : text.size();
  }
};

// Where the cuts are does not depend on how the text was divided into pieces.
class SentenceCutter {
 public:
  // A paragraph longer than this is cut at its last sentence end.
  static constexpr std::size_t kMaxParagraphBytes = std::size_t{1} << 20;
  // A line longer than this is a sentence with an error and its beginning as text.
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;
  static constexpr std::size_t kShownLineBytes = 1024;
  // Of a gap that is longer all but its end are steps of at most this size.
  static constexpr std::size_t kMaxGapBytes = 4096;

  SentenceCutter(InputMode mode, Diagnostics& diagnostics)
      : mode_(mode), diagnostics_(diagnostics) {}

  // With kLines `line_shard` says which lines are handed out; null: all.
  void begin(const DocumentId& document, Shard* line_shard, std::deque<InputStep>& steps);
  std::string& buffer() { return buffer_; }  // further text is appended here
  // Takes the sentences that are complete.
  void cut(std::deque<InputStep>& steps) { cut(false, steps); }
  // Takes all that is left, and reports ill-formed UTF-8.
  void end(std::deque<InputStep>& steps);

 private:
  void cut(bool at_end, std::deque<InputStep>& steps);
  std::size_t take_lines(bool at_end, std::deque<InputStep>& steps);
  void take_line(Span in_buffer, std::deque<InputStep>& steps);
  std::size_t pass_over(Span in_buffer, bool ended, std::deque<InputStep>& steps);
  void end_long_line(std::deque<InputStep>& steps);
  std::size_t take_text(bool at_end, std::deque<InputStep>& steps);
  std::size_t take_long_paragraph(std::deque<InputStep>& steps);
  void take_sentences(std::size_t end, std::deque<InputStep>& steps);
  void emit(Span in_buffer, std::deque<InputStep>& steps);
  InputStep make_step(Span in_buffer, std::deque<InputStep>& steps);
  // What stands before `end` goes to gap_, and of that, what is too long, to `steps`.
  void skip_to(std::size_t end, std::deque<InputStep>& steps);

  InputMode mode_;
  Diagnostics& diagnostics_;

  Shard* line_shard_ = nullptr;
  std::string place_;
  std::string buffer_;              // not yet cut
  std::size_t position_ = 0;        // in buffer_: what stands before it is done with
  std::size_t buffer_begin_ = 0;    // where buffer_ starts in the document
  std::string gap_;                 // since the last step
  std::size_t num_characters_ = 0;  // of the document, before gap_
  std::size_t num_sentences_ = 0;
  std::optional<InputStep> long_line_;  // that is being passed over
  std::size_t num_bad_ = 0;             // sentences with ill-formed UTF-8
  std::string first_bad_;               // where
};

// Code points; a sequence of bytes that is not UTF-8 counts as the U+FFFD that is shown for it.
std::size_t count_characters(std::string_view text);

}  // namespace diffie::cli
