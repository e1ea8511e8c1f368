// The JSON of Stanford CoreNLP's `openie` annotator: a document a line.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/utf8.h"
#include "output/document_places.h"
#include "output/json_parts.h"
#include "output/plain_words.h"
#include "output/slots.h"
#include "output/stream_writer.h"
#include "output/writers.h"

namespace diffie::output {
namespace {

// Code points that Java, whose characters have 16 bits, counts twice.
std::size_t count_doubles(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    if (decoded.code_point > 0xFFFF) ++count;
    pos += decoded.length;
  }
  return count;
}

// From the first word of the spans to behind the last; [0, 0) where there is none.
Span words_of(const std::vector<Span>& spans, const std::vector<Span>& words) {
  if (spans.empty()) return {};
  Span range{words.size(), 0};
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (words[index].end <= spans.front().begin || words[index].begin >= spans.back().end) continue;
    range.begin = std::min(range.begin, index);
    range.end = index + 1;
  }
  return range.end == 0 ? Span{} : range;
}

class CorenlpWriter final : public StreamWriter {
 public:
  using StreamWriter::StreamWriter;

  void begin_document(std::string_view id) override {
    doubles_ = 0;
    first_ = true;
    out_ += "{\"docId\": ";
    base::append_json_string(out_, id);
    out_ += ", \"sentences\": [";
    flush();
  }

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    doubles_ += count_doubles(sentence.gap);
    const std::vector<Span> words = plain_words(sentence.text, result.extractions);
    out_ += fmt::format("{}{{\"index\": {}, \"openie\": [", first_ ? "" : ", ", sentence.index);
    first_ = false;
    for (std::size_t index = 0; index < result.extractions.size(); ++index) {
      if (index > 0) out_ += ", ";
      add_triple(result.extractions[index], words);
    }
    out_ += "], \"tokens\": [";
    add_tokens(sentence, words);
    out_ += ']';
    if (result.error) {
      out_ += ", \"error\": ";
      base::append_json_string(out_, result.error_message);
    }
    out_ += '}';
    doubles_ += count_doubles(sentence.text);
    flush();
  }

  void add_text(std::string_view text, std::size_t /*character*/) override {
    doubles_ += count_doubles(text);
  }

  void end_document(std::string_view /*rest*/) override {
    out_ += "]}\n";
    flush();
  }

 private:
  void add_triple(const Extraction& triple, const std::vector<Span>& words) {
    out_ += '{';
    for (const Slot& slot : kSlots) {
      const Span range = words_of(triple.*slot.spans, words);
      out_ += fmt::format("\"{}\": ", slot.name);
      base::append_json_string(out_, triple.*slot.text);
      out_ += fmt::format(", \"{}Span\": [{}, {}], ", slot.name, range.begin, range.end);
    }
    append_json_details(out_, triple);
    out_ += '}';
  }

  void add_tokens(const DocumentSentence& sentence, const std::vector<Span>& words) {
    const DocumentPlaces places(sentence);
    std::size_t doubles = doubles_;
    std::size_t done = 0;
    for (std::size_t index = 0; index < words.size(); ++index) {
      const std::string_view word =
          sentence.text.substr(words[index].begin, words[index].end - words[index].begin);
      const Span characters = places.characters(words[index]);
      doubles += count_doubles(sentence.text.substr(done, words[index].begin - done));
      const std::size_t begin = characters.begin + doubles;
      doubles += count_doubles(word);
      done = words[index].end;
      out_ += fmt::format("{}{{\"index\": {}, \"word\": ", index == 0 ? "" : ", ", index + 1);
      base::append_json_string(out_, word);
      out_ += ", \"originalText\": ";
      base::append_json_string(out_, word);
      out_ += fmt::format(", \"characterOffsetBegin\": {}, \"characterOffsetEnd\": {}", begin,
                          characters.end + doubles);
      if (doubles > 0) {
        out_ += fmt::format(", \"codepointOffsetBegin\": {}, \"codepointOffsetEnd\": {}",
                            characters.begin, characters.end);
      }
      out_ += '}';
    }
  }

  std::size_t doubles_ = 0;  // in the document so far
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Writer> make_corenlp_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<CorenlpWriter>(files);
}

}  // namespace diffie::output
