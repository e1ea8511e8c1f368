#include "reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "bind.h"
#include "characters.h"
#include "diffie/error.h"
#include "plain.h"
#include "without_gil.h"

namespace diffie::python {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

std::shared_ptr<Reading> with_sentences(std::string text, const std::vector<Span>& sentences) {
  auto reading = std::make_shared<Reading>();
  reading->text = std::move(text);
  CharacterCounter counter(reading->text);
  for (const Span& bytes : sentences) {
    const std::size_t begin = counter.characters_before(bytes.begin);
    reading->sentences.push_back({bytes, {begin, counter.characters_before(bytes.end)}});
  }
  reading->results.resize(sentences.size());
  return reading;
}

std::shared_ptr<Reading> read_document(std::string text) {
  const WithoutGil without_gil;
  const std::vector<Span> sentences = split_sentences(text);
  return with_sentences(std::move(text), sentences);
}

// Empty lines are sentences, too.
std::shared_ptr<Reading> read_lines(std::string text) {
  const WithoutGil without_gil;
  std::vector<Span> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', begin), text.size());
    const bool carriage_return = line_end > begin && text[line_end - 1] == '\r';
    lines.push_back({begin, carriage_return ? line_end - 1 : line_end});
    begin = line_end + 1;
  }
  return with_sentences(std::move(text), lines);
}

// As the caller says, by characters.
std::shared_ptr<Reading> read_sentences(std::string text, const Pairs& cut) {
  std::vector<Span> sentences;
  CharacterCounter counter(text);
  std::size_t last = 0;
  for (const auto& [begin, end] : cut) {
    if (begin < last || end < begin) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("sentence {}:{} is not behind the one before it", begin, end));
    }
    const std::size_t first_byte = counter.byte_of(begin);
    sentences.push_back({first_byte, counter.byte_of(end)});
    last = end;
  }
  return with_sentences(std::move(text), sentences);
}

// Tables have its sentences where they are in the document.
std::shared_ptr<Reading> read_piece(std::string text, const Pairs& cut, std::size_t sentence,
                                    std::size_t byte, std::size_t character) {
  std::shared_ptr<Reading> reading = read_sentences(std::move(text), cut);
  reading->start = {sentence, byte, character};
  return reading;
}

std::size_t checked(const Reading& reading, std::size_t index) {
  if (index >= reading.sentences.size()) throw nb::index_error("no such sentence");
  return index;
}

PlainPlace place(const Reading& reading, std::size_t index) {
  const Place& found = reading.sentences[checked(reading, index)];
  return {found.bytes.begin, found.bytes.end, found.characters.begin, found.characters.end};
}

// A triple with spans in bytes of the document; its spans in characters of the document, and those
// of its circumstances.
using PlacedTriple = std::tuple<PlainTriple, std::array<PlainSpans, 4>, std::vector<PlainSpans>>;

// Turns spans of a sentence's bytes into those of the document's; returns the same in characters.
PlainSpans place_spans(const Reading& reading, std::size_t index, PlainSpans& spans) {
  const Place& place = reading.sentences[index];
  CharacterCounter counter(reading.sentence(index));  // spans ascend
  PlainSpans characters;
  for (auto& [begin, end] : spans) {
    const std::size_t first = place.characters.begin + counter.characters_before(begin);
    characters.emplace_back(first, place.characters.begin + counter.characters_before(end));
    begin += place.bytes.begin;
    end += place.bytes.begin;
  }
  return characters;
}

std::vector<PlacedTriple> triples(const Reading& reading, std::size_t index) {
  checked(reading, index);
  std::vector<PlacedTriple> found;
  for (const Extraction& extraction : reading.results[index].extractions) {
    PlacedTriple& triple = found.emplace_back();
    auto& [plain, characters, circumstance_characters] = triple;
    plain = to_plain(extraction);
    auto& bytes = std::get<std::array<PlainSpans, 4>>(plain);
    std::transform(bytes.begin(), bytes.end(), characters.begin(),
                   [&](PlainSpans& spans) { return place_spans(reading, index, spans); });
    for (auto& [kind, text, spans] : std::get<std::vector<PlainCircumstance>>(plain)) {
      circumstance_characters.push_back(place_spans(reading, index, spans));
    }
  }
  return found;
}

// Sentence, code, message of each that failed.
std::vector<std::tuple<std::size_t, std::string, std::string>> failures(const Reading& reading,
                                                                        std::size_t first,
                                                                        std::size_t last) {
  std::vector<std::tuple<std::size_t, std::string, std::string>> found;
  for (std::size_t index = first; index < std::min(last, reading.results.size()); ++index) {
    const SentenceResult& result = reading.results[index];
    if (!result.error) continue;
    found.emplace_back(reading.start.sentence + index, to_string(*result.error),
                       result.error_message);
  }
  return found;
}

}  // namespace

void bind_reading(nb::module_& module) {
  nb::class_<Reading>(module, "Reading")
      .def_static("document", &read_document)
      .def_static("lines", &read_lines)
      .def_static("sentences", &read_sentences)
      .def_static("piece", &read_piece)
      .def("__len__", [](const Reading& reading) { return reading.sentences.size(); })
      .def("place", &place)
      .def("triples", &triples)
      .def("failures", &failures)
      .def("__getstate__", [](const Reading& reading) { return to_plain(reading); })
      .def("__setstate__", [](Reading& reading, const PlainReading& state) {
        Reading made = from_plain(state);
        new (&reading) Reading(std::move(made));
      });
}

}  // namespace diffie::python
