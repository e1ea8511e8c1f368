// Documents with made-up results, and files in memory to write them to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "diffie/output.h"

namespace diffie::test {

class MemoryFiles final : public OutputFiles {
 public:
  void write(std::string_view name, std::string_view bytes) override {
    content[std::string(name)] += bytes;
  }
  void close(std::string_view name) override { closed.insert(std::string(name)); }

  std::map<std::string, std::string> content;
  std::set<std::string> closed;
};

// The place of the n-th occurrence of `part` in `text`.
inline Span find_span(std::string_view text, std::string_view part, int occurrence = 0) {
  std::size_t begin = text.find(part);
  for (; occurrence > 0; --occurrence) begin = text.find(part, begin + 1);
  return {begin, begin + part.size()};
}

inline std::string quoted(std::string_view text, const std::vector<Span>& spans) {
  std::string joined;
  for (const Span& span : spans) {
    if (!joined.empty()) joined += ' ';
    joined += text.substr(span.begin, span.end - span.begin);
  }
  return joined;
}

inline Extraction make_triple(std::string_view text, std::vector<Span> subject,
                              std::vector<Span> relation, std::vector<Span> object,
                              double confidence) {
  Extraction triple;
  triple.subject = quoted(text, subject);
  triple.relation = quoted(text, relation);
  triple.object = quoted(text, object);
  triple.subject_spans = std::move(subject);
  triple.relation_spans = std::move(relation);
  triple.object_spans = std::move(object);
  triple.confidence = confidence;
  return triple;
}

struct SampleSentence {
  std::string gap;
  std::string text;
  SentenceResult result;
};

struct SampleDocument {
  std::string id;
  std::vector<SampleSentence> sentences;
  std::string rest;
};

inline std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) pos += base::decode_utf8(text, pos).length;
  return count;
}

inline void write_document(Writer& writer, const SampleDocument& document) {
  writer.begin_document(document.id);
  DocumentSentence place;
  std::size_t byte = 0;
  for (const SampleSentence& sentence : document.sentences) {
    byte += sentence.gap.size();
    place.character += count_characters(sentence.gap);
    place.text = sentence.text;
    place.gap = sentence.gap;
    place.bytes = {byte, byte + sentence.text.size()};
    writer.add(place, sentence.result);
    byte = place.bytes.end;
    place.character += count_characters(sentence.text);
    ++place.index;
  }
  writer.end_document(document.rest);
}

inline MemoryFiles write_all(OutputFormat format, const std::vector<SampleDocument>& documents,
                             const WriterOptions& options = {}) {
  MemoryFiles files;
  const std::unique_ptr<Writer> writer = make_writer(format, options, files);
  for (const SampleDocument& document : documents) write_document(*writer, document);
  writer->finish();
  return files;
}

// Two sentences: one with a fact and its place, one in two parts that is denied and somebody's
// claim; then one that failed.
inline SampleDocument small_document() {
  SampleDocument document{"notes/a b.txt", {}, "\n"};
  const std::string first = "Zoë met Ann in Rome.";
  SampleSentence fact{"", first, {}};
  fact.result.extractions.push_back(make_triple(first, {find_span(first, "Zoë")},
                                                {find_span(first, "met")},
                                                {find_span(first, "Ann")}, 0.75));
  fact.result.extractions[0].circumstances = {
      {CircumstanceKind::kPlace, "in Rome", {find_span(first, "in Rome")}}};
  const std::string second = "Bob says ann did not\nkeep \"it\" up, the cat.";
  SampleSentence claim{" \n", second, {}};
  Extraction denied = make_triple(second, {find_span(second, "ann")},
                                  {find_span(second, "did not\nkeep"), find_span(second, "up")},
                                  {find_span(second, "\"it\"")}, 0.5);
  denied.factuality.polarity = Polarity::kNegative;
  denied.factuality.attributed_to = Attribution{"Bob", {find_span(second, "Bob")}};
  claim.result.extractions.push_back(denied);
  Extraction implied =
      make_triple(second, {find_span(second, "ann")}, {}, {find_span(second, "the cat")}, 0.25);
  implied.relation = "is";
  implied.implied = {"is"};
  implied.factuality.modality = Modality::kPossible;
  claim.result.extractions.push_back(implied);
  SampleSentence failed{"\n", "No.", {}};
  failed.result.error = ErrorCode::kExhausted;
  failed.result.error_message = "too long";
  document.sentences = {fact, claim, failed};
  return document;
}

// Everything that has a meaning in one format or another, in one text: mark-up, quotes, separators,
// controls, NUL, right-to-left, combining marks, characters beyond 16 bits, bytes that are not
// UTF-8. A slot goes over line breaks; an id is a path out of its folder.
inline SampleDocument hostile_document() {
  using namespace std::string_literals;
  const std::string first =
      "<script>alert('x')</script> & \"Q\\;,\" \x01\0 \t told\r\n\u2028 \u05d0\u05d1\u05d2 "
      "cafe\u0301 \U0001F600\U0001F601 \xFF\xC3 end."s;
  SampleSentence sentence{"\xEF\xBB\xBF\t\xFE\n"s, first, {}};
  const auto span = [&](std::string_view from, std::string_view to) {
    return Span{first.find(from), first.find(to) + to.size()};
  };
  sentence.result.extractions = {
      make_triple(first, {span("<script>", "</script>")}, {span("& ", "told\r\n\u2028 ")},
                  {span("\u05d0", "\u05d2")}, 0.123456789),
      make_triple(first, {span("cafe", "\u0301"), span("\U0001F600", "\U0001F601")},
                  {span("\xFF", "\xC3")}, {span("\x01", "\t")}, 1),
      make_triple(first, {span("\xFF", "\xC3")}, {span("end", "end")}, {span("\xFF", "\xC3")},
                  1e-9)};
  sentence.result.extractions[1].factuality.modality = Modality::kQuestion;
  sentence.result.extractions[2].circumstances = {
      {CircumstanceKind::kTime, quoted(first, {span("\"Q", ",\"")}), {span("\"Q", ",\"")}},
      {CircumstanceKind::kTime, "end", {span("end", "end")}}};
  sentence.result.extractions[1].factuality.attributed_to =
      Attribution{quoted(first, {span("\"Q", ",\"")}), {span("\"Q", ",\"")}};
  return {"../a\\b:\t<c>\xFF\n\"'.txt", {sentence}, "\r\n"};
}

}  // namespace diffie::test
