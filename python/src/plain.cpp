#include "plain.h"

#include <algorithm>

#include "diffie/error.h"

namespace diffie::python {
namespace {

constexpr ErrorCode kCodes[] = {ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                                ErrorCode::kCorruptModel,    ErrorCode::kBadInput,
                                ErrorCode::kUnsupported,     ErrorCode::kExhausted,
                                ErrorCode::kCancelled,       ErrorCode::kInternal};
constexpr Polarity kPolarities[] = {Polarity::kPositive, Polarity::kNegative};
constexpr CircumstanceKind kKinds[] = {CircumstanceKind::kTime, CircumstanceKind::kPlace};
constexpr Modality kModalities[] = {Modality::kCertain, Modality::kPossible, Modality::kQuestion,
                                    Modality::kImperative, Modality::kConditional};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kBadInput, "not a pickled document: " + what);
}

template <typename Value, std::size_t kCount, typename NameOf>
Value by_name(const Value (&values)[kCount], const std::string& name, NameOf name_of) {
  const auto found = std::find_if(std::begin(values), std::end(values),
                                  [&](Value value) { return name_of(value) == name; });
  if (found == std::end(values)) refuse("'" + name + "'");
  return *found;
}

PlainSpans plain_spans(const std::vector<Span>& spans) {
  PlainSpans plain;
  for (const Span& span : spans) plain.emplace_back(span.begin, span.end);
  return plain;
}

std::vector<Span> spans_within(std::size_t size, const PlainSpans& plain) {
  std::vector<Span> spans;
  for (const auto& [begin, end] : plain) {
    if (begin > end || end > size) refuse("a span outside its text");
    spans.push_back({begin, end});
  }
  return spans;
}

Extraction extraction_from(const PlainTriple& plain, std::size_t sentence_bytes) {
  const auto& [subject, relation, object, confidence, implied, polarity, modality, whose, spans,
               circumstances] = plain;
  Extraction found;
  found.subject = subject;
  found.relation = relation;
  found.object = object;
  found.confidence = confidence;
  found.implied = implied;
  found.subject_spans = spans_within(sentence_bytes, spans[0]);
  found.relation_spans = spans_within(sentence_bytes, spans[1]);
  found.object_spans = spans_within(sentence_bytes, spans[2]);
  found.factuality.polarity =
      by_name(kPolarities, polarity, [](Polarity value) { return name_of(value); });
  found.factuality.modality =
      by_name(kModalities, modality, [](Modality value) { return name_of(value); });
  if (whose) {
    found.factuality.attributed_to = Attribution{*whose, spans_within(sentence_bytes, spans[3])};
  }
  for (const auto& [kind, text, places] : circumstances) {
    const auto named = [](CircumstanceKind value) { return name_of(value); };
    found.circumstances.push_back(
        {by_name(kKinds, kind, named), text, spans_within(sentence_bytes, places)});
  }
  return found;
}

SentenceResult result_from(const PlainResult& plain, std::size_t sentence_bytes) {
  const auto& [triples, code, message] = plain;
  SentenceResult result;
  for (const PlainTriple& triple : triples) {
    result.extractions.push_back(extraction_from(triple, sentence_bytes));
  }
  if (code) {
    result.error =
        by_name(kCodes, *code, [](ErrorCode value) { return std::string(to_string(value)); });
  }
  result.error_message = message;
  return result;
}

PlainResult to_plain(const SentenceResult& result) {
  std::vector<PlainTriple> triples;
  for (const Extraction& each : result.extractions) triples.push_back(python::to_plain(each));
  std::optional<std::string> code;
  if (result.error) code = to_string(*result.error);
  return {std::move(triples), code, result.error_message};
}

}  // namespace

PlainTriple to_plain(const Extraction& extraction) {
  const Factuality& factuality = extraction.factuality;
  std::optional<std::string> whose;
  PlainSpans whose_spans;
  if (factuality.attributed_to) {
    whose = factuality.attributed_to->text;
    whose_spans = plain_spans(factuality.attributed_to->spans);
  }
  std::vector<PlainCircumstance> circumstances;
  for (const Circumstance& each : extraction.circumstances) {
    circumstances.emplace_back(name_of(each.kind), each.text, plain_spans(each.spans));
  }
  return {extraction.subject,
          extraction.relation,
          extraction.object,
          extraction.confidence,
          extraction.implied,
          std::string(name_of(factuality.polarity)),
          std::string(name_of(factuality.modality)),
          whose,
          {plain_spans(extraction.subject_spans), plain_spans(extraction.relation_spans),
           plain_spans(extraction.object_spans), whose_spans},
          std::move(circumstances)};
}

PlainReading to_plain(const Reading& reading) {
  std::vector<PlainPlace> places;
  for (const Place& place : reading.sentences) {
    places.push_back(
        {place.bytes.begin, place.bytes.end, place.characters.begin, place.characters.end});
  }
  std::vector<PlainResult> results;
  for (const SentenceResult& result : reading.results) results.push_back(to_plain(result));
  return {reading.text, std::move(places), std::move(results)};
}

Reading from_plain(const PlainReading& plain) {
  const auto& [text, places, results] = plain;
  if (places.size() != results.size()) refuse("as many results as sentences are needed");
  Reading reading{text, {}, {}};
  for (std::size_t index = 0; index < places.size(); ++index) {
    const auto& [begin, end, first_character, last_character] = places[index];
    const Span bytes = spans_within(text.size(), {{begin, end}}).front();
    const Span characters = spans_within(text.size(), {{first_character, last_character}}).front();
    reading.sentences.push_back({bytes, characters});
    reading.results.push_back(result_from(results[index], end - begin));
  }
  return reading;
}

}  // namespace diffie::python
