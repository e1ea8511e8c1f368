#include "corenlp_protobuf.h"

#include <bit>
#include <cstdint>
#include <string>

#include "base/utf8.h"
#include "output/plain_words.h"
#include "output/slots.h"
#include "output/stream_writer.h"

namespace diffie::server {
namespace {

// Fields of a message, one behind the other (protobuf.dev/programming-guides/encoding).
class Message {
 public:
  const std::string& bytes() const { return bytes_; }

  void number(unsigned field, std::uint64_t value) {
    tag(field, 0);
    varint(value);
  }
  void real(unsigned field, double value) {
    tag(field, 1);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes_ += static_cast<char>(bits >> shift & 0xFF);
  }
  void text(unsigned field, std::string_view value) {
    tag(field, 2);
    delimited(value);
  }
  void message(unsigned field, const Message& value) { text(field, value.bytes_); }

  void delimited(std::string_view value) {
    varint(value.size());
    bytes_ += value;
  }

 private:
  void tag(unsigned field, unsigned wire_type) { varint(field << 3 | wire_type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// A place in the document, as Python and as Java counts: there some characters are two.
struct Place {
  std::size_t code_points = 0;
  std::size_t utf16_units = 0;

  void pass(std::string_view text) {
    for (std::size_t pos = 0; pos < text.size(); ++code_points) {
      const base::Decoded decoded = base::decode_utf8(text, pos);
      utf16_units += decoded.code_point > 0xFFFF ? 2 : 1;
      pos += decoded.length;
    }
  }
};

// Numbers are those of CoreNLP.proto.
class CorenlpProtobufWriter final : public output::StreamWriter {
 public:
  using StreamWriter::StreamWriter;

  void begin_document(std::string_view id) override {
    StreamWriter::begin_document(id);
    sentences_ = {};
    text_.clear();
    place_ = {};
    num_tokens_ = 0;
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    add_text(sentence.gap, sentence.character);
    text_ += sentence.text;
    const std::vector<Span> words = output::plain_words(sentence.text, result.extractions);
    Message message;
    const std::size_t begin = place_.utf16_units;
    add_tokens(message, sentence.text, words);
    message.number(2, num_tokens_);
    message.number(3, num_tokens_ += words.size());
    message.number(4, sentence.index);
    message.number(5, begin);
    message.number(6, place_.utf16_units);
    message.text(12, sentence.text);
    for (const Extraction& triple : result.extractions)
      message.message(14, triple_message(triple, words, sentence.index));
    message.number(69, 1);  // openie was asked
    sentences_.message(2, message);
  }

  void add_text(std::string_view text, std::size_t /*character*/) override {
    text_ += text;
    place_.pass(text);
  }

  void end_document(std::string_view rest) override {
    text_ += rest;
    Message document;
    document.text(1, text_);
    if (!document_.empty()) document.text(4, document_);
    Message framed;
    framed.delimited(document.bytes() + sentences_.bytes());
    out_ = framed.bytes();
    flush();
  }

 private:
  // Goes to the end of the sentence.
  void add_tokens(Message& message, std::string_view sentence, const std::vector<Span>& words) {
    std::size_t done = 0;
    for (std::size_t index = 0; index < words.size(); ++index) {
      const Span& word = words[index];
      const std::size_t next = index + 1 < words.size() ? words[index + 1].begin : sentence.size();
      const std::string_view form = sentence.substr(word.begin, word.end - word.begin);
      Message token;
      for (const unsigned field : {1u, 3u, 7u}) token.text(field, form);
      const std::string_view before = sentence.substr(done, word.begin - done);
      token.text(5, before);
      token.text(6, sentence.substr(word.end, next - word.end));
      place_.pass(before);
      const Place begin = place_;
      place_.pass(form);
      token.number(11, begin.utf16_units);
      token.number(12, place_.utf16_units);
      token.number(17, num_tokens_ + index);
      token.number(18, num_tokens_ + index + 1);
      token.number(74, begin.code_points);
      token.number(75, place_.code_points);
      message.message(1, token);
      done = word.end;
    }
    place_.pass(sentence.substr(done));
  }

  static Message triple_message(const Extraction& triple, const std::vector<Span>& words,
                                std::size_t sentence) {
    Message message;
    unsigned field = 1;
    for (const output::Slot& slot : output::kSlots) message.text(field++, triple.*slot.text);
    message.real(4, triple.confidence);
    field = 13;
    for (const output::Slot& slot : output::kSlots) {
      for (const Span& span : triple.*slot.spans) add_places(message, field, span, words, sentence);
      ++field;
    }
    return message;
  }

  static void add_places(Message& message, unsigned field, const Span& span,
                         const std::vector<Span>& words, std::size_t sentence) {
    for (std::size_t index = 0; index < words.size(); ++index) {
      if (words[index].begin < span.begin || words[index].end > span.end) continue;
      Message place;
      place.number(1, sentence);
      place.number(2, index);
      message.message(field, place);
    }
  }

  // Of the document under way.
  Message sentences_;
  std::string text_;
  Place place_;
  std::size_t num_tokens_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_corenlp_protobuf_writer(OutputFiles& files) {
  return std::make_unique<CorenlpProtobufWriter>(files);
}

}  // namespace diffie::server
