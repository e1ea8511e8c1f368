#include "capi/guard.h"
#include "capi/handles.h"

namespace diffie::capi {
namespace {

std::vector<diffie_span> spans_of(const std::vector<Span>& spans) {
  std::vector<diffie_span> out;
  for (const Span& span : spans) out.push_back({span.begin, span.end});
  return out;
}

void add_circumstances(Triple& triple) {
  for (const Circumstance& each : triple.found.circumstances) {
    const auto& spans = triple.circumstance_spans.emplace_back(spans_of(each.spans));
    // The spans stay where they are when the vectors that hold them move.
    triple.circumstances.push_back({{each.text.data(), each.text.size()},
                                    spans.data(),
                                    spans.size(),
                                    static_cast<diffie_circumstance_kind>(each.kind)});
  }
}

}  // namespace

Sentence make_sentence(SentenceResult result) {
  Sentence sentence;
  if (result.error) sentence.status = static_cast<diffie_status>(*result.error) + 1;
  sentence.error = std::move(result.error_message);
  sentence.triples.resize(result.extractions.size());
  for (std::size_t index = 0; index < sentence.triples.size(); ++index) {
    Triple& triple = sentence.triples[index];
    triple.found = std::move(result.extractions[index]);
    triple.subject_spans = spans_of(triple.found.subject_spans);
    triple.relation_spans = spans_of(triple.found.relation_spans);
    triple.object_spans = spans_of(triple.found.object_spans);
    for (const std::string& word : triple.found.implied) {
      triple.implied.push_back({word.data(), word.size()});
    }
    if (triple.found.factuality.attributed_to)
      triple.attributed_to_spans = spans_of(triple.found.factuality.attributed_to->spans);
    add_circumstances(triple);
  }
  return sentence;
}

}  // namespace diffie::capi

using namespace diffie::capi;

namespace {

const Sentence& sentence_at(const diffie_result* result, size_t index) {
  require(result, "result");
  require_index("sentence", index, result->sentences.size());
  return result->sentences[index];
}

diffie_text text_of(const std::string& text) { return {text.data(), text.size()}; }

diffie_extraction view_of(const Triple& triple) {
  diffie_extraction view{};
  view.confidence = triple.found.confidence;
  view.subject = text_of(triple.found.subject);
  view.relation = text_of(triple.found.relation);
  view.object = text_of(triple.found.object);
  view.subject_spans = triple.subject_spans.data();
  view.subject_span_count = triple.subject_spans.size();
  view.relation_spans = triple.relation_spans.data();
  view.relation_span_count = triple.relation_spans.size();
  view.object_spans = triple.object_spans.data();
  view.object_span_count = triple.object_spans.size();
  view.implied = triple.implied.data();
  view.implied_count = triple.implied.size();
  const diffie::Factuality& factuality = triple.found.factuality;
  view.polarity = static_cast<diffie_polarity>(factuality.polarity);
  view.modality = static_cast<diffie_modality>(factuality.modality);
  if (factuality.attributed_to) view.attributed_to = text_of(factuality.attributed_to->text);
  view.attributed_to_spans = triple.attributed_to_spans.data();
  view.attributed_to_span_count = triple.attributed_to_spans.size();
  view.circumstances = triple.circumstances.data();
  view.circumstance_count = triple.circumstances.size();
  return view;
}

}  // namespace

void diffie_result_free(diffie_result* result) {
  const std::unique_ptr<diffie_result> owned(result);
}

size_t diffie_result_count(const diffie_result* result) {
  return result == nullptr ? 0 : result->sentences.size();
}

diffie_status diffie_result_sentence(const diffie_result* result, size_t sentence,
                                     diffie_sentence* out) {
  return guarded([&] {
    const Sentence& found = sentence_at(result, sentence);
    require(out, "out");
    diffie_sentence view{};
    view.extraction_count = found.triples.size();
    view.error = found.error.c_str();
    view.status = found.status;
    fill(out, view, offsetof(diffie_sentence, status) + sizeof view.status);
  });
}

diffie_status diffie_result_extraction(const diffie_result* result, size_t sentence, size_t index,
                                       diffie_extraction* out) {
  return guarded([&] {
    const Sentence& found = sentence_at(result, sentence);
    require_index("index", index, found.triples.size());
    require(out, "out");
    fill(out, view_of(found.triples[index]),
         offsetof(diffie_extraction, attributed_to_span_count) + sizeof(size_t));
  });
}
