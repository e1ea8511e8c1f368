#include <algorithm>

#include "base/utf8.h"
#include "diffie/text.h"
#include "text/blocks.h"
#include "text/break_rules.h"
#include "text/sentence_breaker.h"

namespace diffie {
namespace {

// Beyond this a sentence is cut at white space: no text without stops may take unbounded memory.
constexpr std::size_t kMaxSentenceBytes = 20'000;
// How much of a block is broken at a time, and how much of its end is left to the next window
// because what follows there cannot be seen.
constexpr std::size_t kWindowBytes = 65'536;
constexpr std::size_t kUnseenBytes = 256;

class Splitter {
 public:
  explicit Splitter(std::string_view document)
      : document_(document), breaker_(text::make_sentence_breaker()) {}

  std::vector<Span> run() {
    text::for_each_block(document_, [&](Span block) { split_block(block); });
    return std::move(sentences_);
  }

 private:
  void split_block(Span block) {
    while (block.begin < block.end) {
      const bool last = block.end - block.begin <= kWindowBytes;
      const std::size_t window_end = last ? block.end : char_start(block.begin + kWindowBytes);
      const std::size_t done = split_window({block.begin, window_end}, last);
      if (last) {
        add({block.begin + done, block.end});
        return;
      }
      if (done == 0) {
        const std::size_t cut = cut_before(block.begin);
        add({block.begin, cut});
        block.begin = cut;
      } else {
        block.begin += done;
      }
    }
  }

  // Adds the sentences that end inside the window; returns where the last of them does.
  std::size_t split_window(Span window, bool last) {
    const std::string_view text = document_.substr(window.begin, window.end - window.begin);
    breaker_->find(text, breaks_);
    std::size_t begin = 0;
    for (const std::size_t at : breaks_) {
      if (!last && at + kUnseenBytes > text.size()) break;
      if (at <= begin) continue;
      const auto next = text::next_sentence(text.substr(begin), at - begin);
      if (!next) continue;
      add({window.begin + begin, window.begin + begin + *next});
      begin += *next;
    }
    return begin;
  }

  // The last white space before the limit, else the limit itself.
  std::size_t cut_before(std::size_t begin) const {
    const std::size_t limit = char_start(begin + kMaxSentenceBytes);
    const std::string_view text = document_.substr(begin, limit - begin);
    const std::size_t blank = text.find_last_of(" \t\n");
    return blank != std::string_view::npos && blank > 0 ? begin + blank : limit;
  }

  // Steps back from inside a UTF-8 sequence; bytes that belong to none are left as they are.
  std::size_t char_start(std::size_t pos) const {
    std::size_t start = pos;
    while (pos - start < 3 && (static_cast<unsigned char>(document_[start]) & 0xC0) == 0x80) {
      --start;
    }
    return start + base::decode_utf8(document_, start).length > pos ? start : pos;
  }

  void add(Span bytes) {
    while (bytes.end - bytes.begin > kMaxSentenceBytes) {
      const std::size_t cut = cut_before(bytes.begin);
      add_trimmed({bytes.begin, cut});
      bytes.begin = cut;
    }
    add_trimmed(bytes);
  }

  void add_trimmed(Span bytes) {
    Span trimmed{bytes.end, bytes.end};
    for (std::size_t pos = bytes.begin; pos < bytes.end;) {
      const base::Decoded decoded = base::decode_utf8(document_, pos);
      if (!base::is_unicode_space(decoded.code_point)) {
        trimmed.begin = std::min(trimmed.begin, pos);
        trimmed.end = pos + decoded.length;
      }
      pos += decoded.length;
    }
    if (trimmed.begin < bytes.end) sentences_.push_back(trimmed);
  }

  std::string_view document_;
  std::unique_ptr<text::SentenceBreaker> breaker_;
  std::vector<std::size_t> breaks_;
  std::vector<Span> sentences_;
};

}  // namespace

std::vector<Span> split_sentences(std::string_view document) { return Splitter(document).run(); }

}  // namespace diffie
